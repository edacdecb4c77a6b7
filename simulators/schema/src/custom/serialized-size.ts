/** Maximum size of a request in bytes. It also limits the total size of all values in a request. */
const maxRequestBytes = 3 * 1_024 * 1_024;
/** Maximum size of a string in bytes, without the quotes. */
export const longestText = maxRequestBytes - 2;

/**
 * Returns the number of list elements that fit into one request. `minBytes` is the minimum size of an element. Cost estimates use
 * this number for lists without a limit.
 */
export function estimatedElements(minBytes: number): number {
  return Math.floor(longestText / (minBytes + 1));
}

/** Returns the number of map entries with empty keys that fit into one request. */
export function estimatedEntries(minBytes: number): number {
  return Math.floor(longestText / (minBytes + 6));
}

/**
 * Returns the maximum number of values in one request. `minBytes` is the minimum size of a value. The JSON around the values is
 * not counted.
 */
export function maxCardinality(minBytes: number): number {
  return Math.floor(maxRequestBytes / (minBytes + 1));
}
