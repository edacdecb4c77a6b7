const clusterId =
  /^\/subscriptions\/[0-9a-f-]{36}\/resourceGroups\/[^/?#\s]+\/providers\/Microsoft\.RedHatOpenShift\/openShiftClusters\/[^/?#\s]+$/i;

/** True if the string is the resource ID of a cluster. */
export function isClusterId(text: string): boolean {
  return clusterId.test(text);
}
