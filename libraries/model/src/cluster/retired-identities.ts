import type { OpenShiftCluster, PlatformWorkloadIdentity } from "./open-shift-cluster.ts";

/**
 * Adds operator identities to the list of retired identities when an update replaces them. Retired identities still trust the
 * cluster's tokens and still have roles on the managed resource group. An identity that is used again is removed from the list.
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
