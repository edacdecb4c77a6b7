/** No request is longer, and so nothing in it. */
const maxRequestBytes = 3 * 1_024 * 1_024;
/** Between quotes, or brackets. */
export const longestText = maxRequestBytes - 2;

/** How many list elements of so many bytes fit into one request: costs are estimated by it where nothing says how many. */
export function estimatedElements(minBytes: number): number {
  return Math.floor(longestText / (minBytes + 1));
}

/** How many entries of a map, with empty keys, fit into one request. */
export function estimatedEntries(minBytes: number): number {
  return Math.floor(longestText / (minBytes + 6));
}

/** How often a value of so many bytes can be in one request, whatever is around it. */
export function maxCardinality(minBytes: number): number {
  return Math.floor(maxRequestBytes / (minBytes + 1));
}
