import { stringAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { type ConfigObserver, configAt, configWith } from "@keelson/operator-kit";
import { clusterInput, normal, singleton } from "./inputs.ts";

const path = ["projectConfig", "defaultNodeSelector"];

/** Observes the default node selector of pods. A project may replace it with a different selector. */
export const observeDefaultNodeSelector: ConfigObserver = {
  name: "ObserveDefaultNodeSelector",
  paths: [path],
  inputs: [clusterInput(resources.schedulers)],
  observe({ objects, existing, report }) {
    const selector = stringAt(objects.find(resources.schedulers, singleton), "spec", "defaultNodeSelector");
    if (!selector) return { config: {} };
    if (selector !== configAt(existing, path))
      report(
        normal(
          "ObserveDefaultNodeSelectorChanged",
          `default node selector changed to ${JSON.stringify(selector)}`,
        ),
      );
    return { config: configWith(path, selector) };
  },
};
