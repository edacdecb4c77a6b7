/**
 * Runs `action` for each item with at most `limit` concurrent calls. After a failure, no further calls start. The function throws
 * the failure after all running calls have ended.
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
