/**
 * Runs `action` for each item, at most `limit` concurrently. After a failure no further item starts. Throws the
 * failure after running items have ended.
 */
export async function forEachLimited<T>(
  items: Iterable<T>,
  limit: number,
  action: (item: T) => Promise<void>,
): Promise<void> {
  const queue = Iterator.from(items);
  let failure: { readonly reason: unknown } | undefined;
  const worker = async () => {
    for (let next = queue.next(); !next.done && !failure; next = queue.next()) {
      try {
        await action(next.value);
      } catch (reason) {
        failure ??= { reason };
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  if (failure) throw failure.reason;
}
