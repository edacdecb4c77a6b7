import { isDeepStrictEqual } from "node:util";
import { stringsAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { type ConfigObserver, configAt, configWith } from "@keelson/operator-kit";
import { clusterInput, normal, singleton } from "./inputs.ts";

const path = ["imagePolicyConfig", "externalRegistryHostnames"];

/** Observes the external hostnames of the cluster's registry. Hostnames that users configure precede all others in the list. */
export const observeExternalRegistryHostnames: ConfigObserver = {
  name: "ObserveExternalRegistryHostnames",
  paths: [path],
  inputs: [clusterInput(resources.configImages)],
  observe({ objects, existing, report }) {
    const image = objects.find(resources.configImages, singleton);
    const hosts = ["spec", "status"].flatMap((part) => stringsAt(image, part, "externalRegistryHostnames"));
    if (!isDeepStrictEqual(stringsAt(configAt(existing, path)), hosts))
      report(
        normal(
          "ObserveExternalRegistryHostnameChanged",
          `External registry hostname changed to [${hosts.join(" ")}]`,
        ),
      );
    return { config: hosts.length === 0 ? {} : configWith(path, hosts) };
  },
};
