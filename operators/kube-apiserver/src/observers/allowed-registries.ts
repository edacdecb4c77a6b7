import { isDeepStrictEqual } from "node:util";
import { listAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { type ConfigObserver, configAt, configWith } from "@keelson/operator-kit";
import { clusterInput, normal, singleton } from "./inputs.ts";

const path = ["imagePolicyConfig", "allowedRegistriesForImport"];

/**
 * Observes the allowed registries, as OpenShift's Go operator does. API servers do not support the observed field, so their
 * configuration file does not contain it.
 */
export const observeAllowedRegistries: ConfigObserver = {
  name: "ObserveAllowedRegistriesForImport",
  paths: [path],
  inputs: [clusterInput(resources.configImages)],
  observe({ objects, existing, report }) {
    const image = objects.find(resources.configImages, singleton);
    const registries = listAt(image, "spec", "allowedRegistriesForImport");
    if (!isDeepStrictEqual(configAt(existing, path) ?? [], registries))
      report(
        normal(
          "ObserveAllowedRegistriesForImport",
          `Allowed registries for import changed to ${JSON.stringify(registries)}`,
        ),
      );
    return { config: registries.length === 0 ? {} : configWith(path, registries) };
  },
};
