declare const brand: unique symbol;

/** Lower-cased ARM resource ID. It is used for all keys, because ARM compares IDs case-insensitively. */
export type ResourceKey = string & { readonly [brand]: "ResourceKey" };

/** Parsed ID of a top-level resource or of a child resource in a resource group. Names keep the client's letter case. */
export interface ResourceId {
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  /** Provider namespace, for example `Microsoft.Network`. */
  readonly namespace: string;
  /** Type and name pairs, outermost first: `[["virtualNetworks", "vnet"], ["subnets", "master"]]`. */
  readonly path: readonly (readonly [type: string, name: string])[];
}

const pattern =
  /^\/subscriptions\/([^/]+)\/resourcegroups\/([^/]+)\/providers\/([^/]+)((?:\/[^/]+\/[^/]+)+)$/i;

/** Parses a resource ID, case-insensitively. Returns undefined for an invalid ID. */
export function parseResourceId(text: string): ResourceId | undefined {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [, subscriptionId = "", resourceGroup = "", namespace = "", rest = ""] = match;
  const parts = rest.slice(1).split("/");
  const path: [string, string][] = [];
  for (let i = 0; i + 1 < parts.length; i += 2) path.push([parts[i] ?? "", parts[i + 1] ?? ""]);
  return { subscriptionId, resourceGroup, namespace, path };
}

/** Formats a resource ID without changing the letter case of its names. Inverse of `parseResourceId`. */
export function formatResourceId(id: ResourceId): string {
  const path = id.path.map(([type, name]) => `/${type}/${name}`).join("");
  return `${resourceGroupId(id.subscriptionId, id.resourceGroup)}/providers/${id.namespace}${path}`;
}

export function resourceGroupId(subscriptionId: string, resourceGroup: string): string {
  return `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}`;
}

/** Returns the last segment of a resource ID or resource group ID. */
export function resourceNameOf(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1);
}

/**
 * Returns the resource group's name from a resource ID or resource group ID. Returns undefined if the ID has no resource group.
 */
export function resourceGroupNameOf(id: string): string | undefined {
  return /^\/subscriptions\/[^/]+\/resourcegroups\/([^/]+)(\/|$)/i.exec(id)?.[1];
}

export function resourceKey(id: string): ResourceKey {
  return id.toLowerCase() as ResourceKey;
}

export function sameResource(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
