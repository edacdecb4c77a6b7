import { isPlainObject, Secret } from "@keelson/base";
import type { OpenShiftCluster } from "./open-shift-cluster.ts";

/**
 * Properties that determine where the cluster's resources are. A resumed creation must not change these properties, because the
 * resources may already exist.
 */
const places: readonly (readonly [path: string, read: (cluster: OpenShiftCluster) => string])[] = [
  ["location", ({ location }) => location],
  ["properties.clusterProfile.domain", ({ properties }) => properties.clusterProfile.domain],
  [
    "properties.clusterProfile.resourceGroupId",
    ({ properties }) => properties.clusterProfile.resourceGroupId,
  ],
  ["properties.masterProfile.subnetId", ({ properties }) => properties.masterProfile.subnetId],
  [
    "properties.workerProfiles['worker'].subnetId",
    ({ properties }) => properties.workerProfiles[0]?.subnetId ?? "",
  ],
  [
    "properties.servicePrincipalProfile",
    ({ properties }) => (properties.servicePrincipalProfile ? "service principal" : "managed identities"),
  ],
];

/** Returns the paths of the properties in `places` that a new request would change. The comparison ignores case. */
export function movedPlaces(failed: OpenShiftCluster, requested: OpenShiftCluster): readonly string[] {
  return places.flatMap(([path, read]) =>
    read(failed).toLowerCase() === read(requested).toLowerCase() ? [] : [path],
  );
}

/**
 * Returns the cluster of a resumed creation. It consists of the new request and of all data that the service recorded during the
 * failed creation. The ID, name, type, creator and creation time come from the failed creation.
 */
export function resumedCreation(failed: OpenShiftCluster, requested: OpenShiftCluster): OpenShiftCluster {
  const { failedProvisioningState: _failed, creationResumable: _resumable, ...noted } = failed.properties;
  const { createdAt, createdBy } = failed.properties;
  const { id, name, type } = failed;
  const properties = { ...merged(noted, requested.properties), createdAt, createdBy };
  return { ...failed, ...requested, id, name, type, properties };
}

/** Deep-merges `over` into `under`. Lists and secrets are replaced and not merged. */
function merged<T extends object>(under: object, over: T): T {
  const result = new Map<string, unknown>(Object.entries(under));
  for (const [member, value] of Object.entries(over)) {
    const below = result.get(member);
    result.set(member, isMembers(value) && isMembers(below) ? merged(below, value) : value);
  }
  return Object.fromEntries(result) as T;
}

function isMembers(value: unknown): value is object {
  return isPlainObject(value) && !(value instanceof Secret);
}
