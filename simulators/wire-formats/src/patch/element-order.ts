type Identity = (item: unknown) => unknown;

/**
 * Returns the order of a merged list. `wanted` contains the patch's items or its `$setElementOrder`. Items in `wanted` keep the
 * order of `wanted`. All other items keep the server's order. An item that is not in `wanted` comes before the next item in
 * `wanted` only if it also precedes that item on the server. Therefore, new items precede the next item that only the server has.
 * Without `$setElementOrder`, a merged list starts with the new items.
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
  let [nextPatched, nextOwn] = [0, 0];
  while (nextPatched < patched.length && nextOwn < serverOnly.length) {
    const own = servedAt.get(identity(serverOnly[nextOwn]));
    const other = servedAt.get(identity(patched[nextPatched]));
    const ownFirst = own !== undefined && other !== undefined && own < other;
    result.push(ownFirst ? serverOnly[nextOwn++] : patched[nextPatched++]);
  }
  return [...result, ...patched.slice(nextPatched), ...serverOnly.slice(nextOwn)];
}

/** Returns the first index of each identity. */
export function positions(identities: readonly unknown[]): Map<unknown, number> {
  const result = new Map<unknown, number>();
  for (const [index, identity] of identities.entries()) {
    if (!result.has(identity)) result.set(identity, index);
  }
  return result;
}
