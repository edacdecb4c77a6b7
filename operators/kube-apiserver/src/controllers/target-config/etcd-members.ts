import { stringAt, valueAt } from "@keelson/base";
import type { Cache } from "@keelson/controller";
import { type KubeObject, resources } from "@keelson/kube";
import { namespaces } from "../../config/namespaces.ts";
import { etcdEndpoints } from "../../observers/etcd-endpoints.ts";
import { singleton } from "../../observers/inputs.ts";

/**
 * Returns the addresses of the etcd members if the configuration must contain at least two of them. Returns `undefined` if one
 * address is sufficient.
 * @throws Error if the ConfigMap with the addresses does not exist
 */
export function requiredEtcdAddresses(cache: Cache): readonly string[] | undefined {
  const found = (resource: typeof resources.configMaps, key: { name: string; namespace?: string }) =>
    cache.known(resource, key)?.object;
  if (
    !needsSeveral(
      found(resources.infrastructures, singleton),
      found(resources.namespaces, { name: namespaces.etcd }),
    )
  )
    return undefined;
  const configMap = found(resources.configMaps, etcdEndpoints);
  if (!configMap) throw new Error('configmap "etcd-endpoints" not found');
  return Object.values(valueAt(configMap, "data") ?? {}).filter((each) => typeof each === "string");
}

/**
 * True if several etcd members are required. A cluster of two masters may start with one member if the installer announces that
 * the second member is delayed.
 */
function needsSeveral(infrastructure: KubeObject | undefined, namespace: KubeObject | undefined): boolean {
  const topology = stringAt(infrastructure, "status", "controlPlaneTopology");
  if (topology === "SingleReplica") return false;
  const isDelayed = "openshift.io/delayed-bootstrap" in (namespace?.metadata.annotations ?? {});
  return topology !== "DualReplica" || !isDelayed;
}
