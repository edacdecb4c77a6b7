import { timeLimit, untilAborted } from "@keelson/base";

/**
 * Lets all who want to read the same at the same time wait for one read: a hundred clusters created at once ask Azure
 * for the quotas of their region once. Nothing is kept: who comes after the end of a read begins another.
 */
export class SharedReads<T> {
  readonly #limitMs: number;
  readonly #underWay = new Map<string, Promise<T>>();

  /** A read ends after `limitMs`, for all that wait for it. */
  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** Waits for the read of `key`, which `read` begins where none is under way; an abort ends this wait alone. */
  async of(key: string, read: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    return untilAborted(this.#underWay.get(key) ?? this.#begin(key, read), signal);
  }

  #begin(key: string, read: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const begun = read(timeLimit(this.#limitMs)).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, begun);
    return begun;
  }
}
