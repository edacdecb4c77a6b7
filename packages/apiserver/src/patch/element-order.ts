type Identity = (item: unknown) => unknown;

/**
 * The order of a merged list: items in `wanted` (the patch's items, or its `$setElementOrder`) in that order, the
 * server's own items in the server's order, and between the two the server's order where it knows both. An item
 * the server did not have comes before its next own item, so a list patched without `$setElementOrder` starts with
 * what is new.
 * @see kubernetes/apimachinery pkg/util/strategicpatch/patch.go (mergeSortedSlice)
 */
export function mergedOrder(
  merged: readonly unknown[],
  wanted: readonly unknown[],
  server: readonly unknown[],
  identity: Identity,
): readonly unknown[] {
  const wantedAt = positions(wanted.map(identity));
  const servedAt = positions(server.map(identity));
  const byPosition = (positionOf: ReadonlyMap<unknown, number>) => (left: unknown, right: unknown) =>
    (positionOf.get(identity(left)) ?? 0) - (positionOf.get(identity(right)) ?? 0);
  const patched = merged.filter((item) => wantedAt.has(identity(item))).sort(byPosition(wantedAt));
  const serverOnly = merged.filter((item) => !wantedAt.has(identity(item))).sort(byPosition(servedAt));
  const result: unknown[] = [];
  while (patched.length > 0 && serverOnly.length > 0) {
    const own = servedAt.get(identity(serverOnly[0]));
    const other = servedAt.get(identity(patched[0]));
    const ownFirst = own !== undefined && other !== undefined && own < other;
    result.push(ownFirst ? serverOnly.shift() : patched.shift());
  }
  return [...result, ...patched, ...serverOnly];
}

function positions(identities: readonly unknown[]): ReadonlyMap<unknown, number> {
  const result = new Map<unknown, number>();
  for (const [index, identity] of identities.entries()) {
    if (!result.has(identity)) result.set(identity, index);
  }
  return result;
}
