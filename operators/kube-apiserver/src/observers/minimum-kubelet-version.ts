import { stringAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { type ConfigObserver, configWith } from "@keelson/operator-kit";
import { isEnabled } from "../config/feature-gates.ts";
import { gatesFor, gatesInput } from "./gates.ts";
import { clusterInput, singleton } from "./inputs.ts";

const path = ["minimumKubeletVersion"];

/**
 * Observes the minimum kubelet version. The API server limits an older kubelet to the requests with which the kubelet reports its
 * status.
 */
export function minimumKubeletVersionObserver(version: string): ConfigObserver {
  return {
    name: "ObserveMinimumKubeletVersion",
    paths: [path],
    inputs: [gatesInput, clusterInput(resources.configNodes)],
    observe({ objects, existing }) {
      const node = objects.find(resources.configNodes, singleton);
      if (!isEnabled(gatesFor(objects, version), "MinimumKubeletVersion") || !node)
        return { config: existing };
      const minimum = stringAt(node, "spec", "minimumKubeletVersion") ?? "";
      return { config: minimum === "" ? {} : configWith(path, minimum) };
    },
  };
}
