/**
 * Waits until all promises have settled, so that no work continues after an error. Returns the values of the promises.
 * @throws the first error in the order of the promises
 */
export async function allSucceeded<T>(promises: readonly PromiseLike<T>[]): Promise<readonly T[]> {
  const outcomes = await Promise.allSettled(promises);
  return outcomes.map((outcome) => {
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  });
}
