import { startTimeLimit } from "@keelson/base";

/** Ratio of the total limit to the limit without progress. */
export const maxFactor = 2;

/** Aborts its signal after `limitMs` without progress, or after `2 * limitMs` in total. Disposal stops the timers. */
export class ProgressLimit implements Disposable {
  readonly signal: AbortSignal;
  readonly #limitMs: number;
  readonly #limit = new AbortController();
  readonly #total: Disposable;
  #sinceProgress: Disposable;

  constructor(signal: AbortSignal, limitMs: number) {
    this.#limitMs = limitMs;
    this.signal = AbortSignal.any([signal, this.#limit.signal]);
    this.#total = this.#start(maxFactor * limitMs);
    this.#sinceProgress = this.#start(limitMs);
  }

  /** True if the limit was exceeded. */
  get isOver(): boolean {
    return this.#limit.signal.aborted;
  }

  progressed(): void {
    this.#sinceProgress[Symbol.dispose]();
    this.#sinceProgress = this.#start(this.#limitMs);
  }

  [Symbol.dispose](): void {
    this.#sinceProgress[Symbol.dispose]();
    this.#total[Symbol.dispose]();
  }

  #start(ms: number): Disposable {
    return startTimeLimit(ms, () =>
      this.#limit.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError")),
    );
  }
}
