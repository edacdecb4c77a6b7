import { startTimeLimit } from "./abort.ts";

export interface CallLimitOptions {
  /** Time in ms for which the call may continue after `stop` aborts. Default: 0 ms. */
  readonly graceMs?: number;
  /** Reason with which the call's signal aborts if the call takes longer than `timeoutMs`. Default: a `TimeoutError`. */
  readonly late?: Error;
}

/**
 * Abort signal of one call. It aborts `graceMs` after `stop` aborts, or `timeoutMs` after the start of the call. Disposal removes
 * the listener on `stop`, because `stop` usually outlives the call.
 */
export class CallLimit implements Disposable {
  readonly #abort = new AbortController();
  readonly #stop: AbortSignal;
  readonly #limit: Disposable;
  readonly #graceMs: number;
  #grace: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(stop: AbortSignal, timeoutMs: number, { graceMs = 0, late }: CallLimitOptions = {}) {
    this.#stop = stop;
    this.#graceMs = graceMs;
    if (stop.aborted) this.#onStop();
    else stop.addEventListener("abort", this.#onStop, { once: true });
    this.#limit = startTimeLimit(timeoutMs, () => {
      this.#isOver = true;
      this.#abort.abort(
        late ?? new DOMException(`the call did not end within ${timeoutMs} ms`, "TimeoutError"),
      );
    });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** True if the call exceeded its time limit. */
  get isOver(): boolean {
    return this.#isOver;
  }

  readonly #onStop = () => {
    const abort = () => this.#abort.abort(this.#stop.reason);
    if (this.#graceMs === 0) abort();
    else this.#grace = setTimeout(abort, this.#graceMs);
  };

  [Symbol.dispose](): void {
    this.#limit[Symbol.dispose]();
    clearTimeout(this.#grace);
    this.#stop.removeEventListener("abort", this.#onStop);
  }
}
