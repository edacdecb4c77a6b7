/** Maximum size of a request and therefore of all its values. */
const maxRequestBytes = 3 * 1_024 * 1_024;
/** Maximum string size without the quotes. */
export const longestText = maxRequestBytes - 2;

/**
 * Number of list elements of a size that fit into one request. It is the cost estimate for lists without a
 * limit.
 */
export function estimatedElements(minBytes: number): number {
  return Math.floor(longestText / (minBytes + 1));
}

/** Number of map entries with empty keys that fit into one request. */
export function estimatedEntries(minBytes: number): number {
  return Math.floor(longestText / (minBytes + 6));
}

/** Maximum number of values of a size in one request, independent of the surrounding structure. */
export function maxCardinality(minBytes: number): number {
  return Math.floor(maxRequestBytes / (minBytes + 1));
}
