import { resources } from "@keelson/kube";
import type { ConfigObserver } from "@keelson/operator-kit";
import { namespaces } from "../config/namespaces.ts";

/** Removes the former cloud configuration, which API servers no longer use. */
export const removeCloudConfig: ConfigObserver = {
  name: "ObserveCloudProvider",
  paths: [],
  inputs: [],
  observe: () => ({
    config: {},
    syncRules: [
      { resource: resources.configMaps, to: { namespace: namespaces.target, name: "cloud-config" } },
    ],
  }),
};
