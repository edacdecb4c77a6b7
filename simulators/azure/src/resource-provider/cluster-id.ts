const clusterId =
  /^\/subscriptions\/[0-9a-f-]{36}\/resourceGroups\/[^/?#\s]+\/providers\/Microsoft\.RedHatOpenShift\/openShiftClusters\/[^/?#\s]+$/i;

/** Reports whether a text is the resource ID of a cluster. */
export function isClusterId(text: string): boolean {
  return clusterId.test(text);
}
