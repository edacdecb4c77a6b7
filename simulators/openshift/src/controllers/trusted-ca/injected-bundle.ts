import type { KubeObject } from "@keelson/apiserver";
import { stringAt } from "@keelson/base";
import { type Controller, done, keyOf, watchMapped } from "@keelson/controller";
import { resources } from "../../base/resources.ts";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";

const label = "config.openshift.io/inject-trusted-cabundle";

export const bundleMember = "ca-bundle.crt";

/** True if the ConfigMap requests the cluster's trusted CA bundle. */
export function isInjected({ metadata }: KubeObject): boolean {
  return metadata.labels?.[label] === "true";
}

/**
 * Returns a controller that writes a fixed CA bundle to all ConfigMaps that request the cluster's trusted CA bundle. Used for
 * clusters without OpenShift's configuration objects.
 */
export function fixedTrustedCa(caPem: string): Controller<WorkloadContext> {
  return {
    name: "trusted-ca",
    watches: [watchMapped(resources.configMaps, (object) => (isInjected(object) ? [keyOf(object)] : []))],
    async reconcile(key, { client }) {
      const found = await client.find(resources.configMaps, key);
      if (!found || !isInjected(found) || found.metadata.deletionTimestamp) return done;
      if (stringAt(found, "data", bundleMember) === caPem) return done;
      await client.mergePatch(resources.configMaps, found.metadata, { data: { [bundleMember]: caPem } });
      return done;
    },
  };
}
