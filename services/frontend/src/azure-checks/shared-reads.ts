import { timeLimit, untilAborted } from "@keelson/base";

/**
 * Shares one read among concurrent callers. If a hundred clusters are created at the same time, the region's quotas are read
 * once. Results are not cached. A call after the end of a read starts a new read.
 */
export class SharedReads<T> {
  readonly #limitMs: number;
  readonly #inFlight = new Map<string, Promise<T>>();

  /** `limitMs` limits every read for all of its callers. */
  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** Waits for the running read of `key`, or starts a read. An abort ends only this caller's wait. */
  async of(key: string, read: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    return untilAborted(this.#inFlight.get(key) ?? this.#begin(key, read), signal);
  }

  #begin(key: string, read: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const begun = read(timeLimit(this.#limitMs)).finally(() => this.#inFlight.delete(key));
    this.#inFlight.set(key, begun);
    return begun;
  }
}
