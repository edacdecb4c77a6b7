import { timeLimit, untilAborted } from "@keelson/base";

/**
 * Shares one read among concurrent callers. For example, if a hundred clusters are created concurrently, the region's quotas are
 * read once. Results are not cached. A call after the end of a read starts a new read.
 */
export class SharedReads<T> {
  readonly #limitMs: number;
  readonly #inFlight = new Map<string, Promise<T>>();

  /** `limitMs` is the time limit in ms for a read, which applies to all of its callers. */
  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /**
   * Waits for the running read with the key `key`. If there is none, starts one. If `signal` aborts, only this caller stops
   * waiting.
   */
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
