import { isDeepStrictEqual } from "node:util";
import { valueAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { type ConfigObserver, configAt, configWith } from "@keelson/operator-kit";
import { clusterInput, normal, singleton, textsIn } from "./inputs.ts";

const path = ["imagePolicyConfig", "externalRegistryHostnames"];

/** How clients outside reach the registry of the cluster: those that users say first. */
export const observeExternalRegistryHostnames: ConfigObserver = {
  name: "ObserveExternalRegistryHostnames",
  paths: [path],
  inputs: [clusterInput(resources.configImages)],
  observe({ objects, existing, report }) {
    const image = objects.find(resources.configImages, singleton);
    const hosts = ["spec", "status"].flatMap((part) =>
      textsIn(valueAt(image, part, "externalRegistryHostnames")),
    );
    if (!isDeepStrictEqual(textsIn(configAt(existing, path)), hosts))
      report(
        normal(
          "ObserveExternalRegistryHostnameChanged",
          `External registry hostname changed to [${hosts.join(" ")}]`,
        ),
      );
    return { config: hosts.length === 0 ? {} : configWith(path, hosts) };
  },
};
