import type { OpenShiftCluster, PlatformWorkloadIdentity } from "./open-shift-cluster.ts";

/**
 * Notes which operators' identities an update takes out of use: they still trust the cluster, and have rights on its
 * objects. One that comes back is no longer among them.
 */
export function withRetiredIdentities(
  current: OpenShiftCluster,
  updated: OpenShiftCluster,
): OpenShiftCluster {
  const inUse = new Set(identitiesOf(updated).map(keyOf));
  const before = [...(current.properties.retiredIdentities ?? []), ...identitiesOf(current)];
  const retired = new Map(before.map((identity) => [keyOf(identity), identity]));
  const retiredIdentities = [...retired.values()].filter((identity) => !inUse.has(keyOf(identity)));
  const { retiredIdentities: _, ...properties } = updated.properties;
  return {
    ...updated,
    properties: { ...properties, ...(retiredIdentities.length > 0 ? { retiredIdentities } : {}) },
  };
}

function identitiesOf({ properties }: OpenShiftCluster): readonly PlatformWorkloadIdentity[] {
  return Object.values(properties.platformWorkloadIdentityProfile?.platformWorkloadIdentities ?? {});
}

function keyOf({ resourceId }: PlatformWorkloadIdentity): string {
  return resourceId.toLowerCase();
}
