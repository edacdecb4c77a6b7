import { stringAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { type ConfigObserver, configAt, configWith } from "@keelson/operator-kit";
import { clusterInput, normal, singleton } from "./inputs.ts";

const path = ["imagePolicyConfig", "internalRegistryHostname"];

/** Observes the registry's hostname inside the cluster. Image references contain it. */
export const observeInternalRegistryHostname: ConfigObserver = {
  name: "ObserveInternalRegistryHostname",
  paths: [path],
  inputs: [clusterInput(resources.configImages)],
  observe({ objects, existing, report }) {
    const host = stringAt(
      objects.find(resources.configImages, singleton),
      "status",
      "internalRegistryHostname",
    );
    if (!host) return { config: {} };
    if (host !== configAt(existing, path))
      report(
        normal(
          "ObserveInternalRegistryHostnameChanged",
          `Internal registry hostname changed to ${JSON.stringify(host)}`,
        ),
      );
    return { config: configWith(path, host) };
  },
};
