import { resources } from "@keelson/kube";
import type { ConfigObserver } from "@keelson/operator-kit";
import { namespaces } from "../config/namespaces.ts";

/** API servers no longer know the cloud: what configured it for them is deleted. */
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
