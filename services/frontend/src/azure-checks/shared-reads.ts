import { timeLimit, untilAborted } from "@keelson/base";

/**
 * Shares one read among concurrent callers. A hundred clusters created at the same time read the region's quotas
 * once. Results are not cached. A caller after the end of a read starts a new one.
 */
export class SharedReads<T> {
  readonly #limitMs: number;
  readonly #inFlight = new Map<string, Promise<T>>();

  /** Every read ends after `limitMs`, for all of its callers. */
  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** Waits for the read of `key`, or starts it. An abort ends only this wait. */
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
