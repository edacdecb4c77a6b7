import type { Lease } from "@keelson/database";

const maxDocuments = 1_000;
/**
 * Maximum number of losses per document that do not count. All other losses count as attempts, so that an operation that itself
 * prevents renewals fails eventually.
 */
const maxLosses = 50;

/**
 * Leases that this process lost without a crash, and without using the CPU itself: the machine was busy or suspended, or the
 * database did not respond. Such an acquisition reveals nothing about the operation, so it does not count as a failed attempt.
 * The list is kept in memory, because a crash of the process must count.
 */
export class SurvivedLosses {
  readonly #attempts = new Map<string, readonly number[]>();

  add(lease: Lease, attempt: number): void {
    const key = keyOf(lease);
    const earlier = this.attemptsBefore(lease, attempt);
    this.#attempts.delete(key);
    this.#attempts.set(key, [...earlier, attempt].slice(-maxLosses));
    const [oldest] = this.#attempts.keys();
    if (this.#attempts.size > maxDocuments && oldest !== undefined) this.#attempts.delete(oldest);
  }

  /**
   * Returns the numbers of the lost attempts before `attempt`. When a document enters the queue again, attempts restart at 1. A
   * number that is not lower than `attempt` therefore belongs to an earlier operation.
   */
  attemptsBefore(lease: Lease, attempt: number): readonly number[] {
    return (this.#attempts.get(keyOf(lease)) ?? []).filter((lost) => lost < attempt);
  }

  forget(lease: Lease): void {
    this.#attempts.delete(keyOf(lease));
  }
}

function keyOf({ collection, partitionKey, id }: Lease): string {
  return JSON.stringify([collection, partitionKey, id]);
}
