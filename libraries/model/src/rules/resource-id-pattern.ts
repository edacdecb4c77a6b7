/** Patterns for resource IDs in requests. The patterns ignore case. */
const group =
  "/subscriptions/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/resourceGroups/[-a-z0-9_().]{0,89}[-a-z0-9_()]";

export const resourceGroupPattern = new RegExp(`^${group}$`, "i");
export const subnetPattern = new RegExp(
  String.raw`^${group}/providers/Microsoft\.Network/virtualNetworks/[-a-z0-9_.]{2,64}/subnets/[-a-z0-9_.]{2,80}$`,
  "i",
);
export const diskEncryptionSetPattern = new RegExp(
  String.raw`^${group}/providers/Microsoft\.Compute/diskEncryptionSets/[-a-z0-9_]{1,80}$`,
  "i",
);

/** True if a resource ID matches one of the patterns and is in the subscription. The comparison of GUIDs ignores case. */
export function isInSubscription(id: string, subscriptionId: string): boolean {
  return id.split("/")[2]?.toLowerCase() === subscriptionId.toLowerCase();
}
