import { startTimeLimit } from "@keelson/base";

/** The signal of one call: it aborts `graceMs` after `stop`, or after `timeoutMs`. Disposal leaves nothing with `stop`, which lives on. */
export class CallLimit implements Disposable {
  readonly #abort = new AbortController();
  readonly #stop: AbortSignal;
  readonly #limit: Disposable;
  readonly #graceMs: number;
  #grace: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(stop: AbortSignal, timeoutMs: number, graceMs = 0) {
    this.#stop = stop;
    this.#graceMs = graceMs;
    if (stop.aborted) this.#onStop();
    else stop.addEventListener("abort", this.#onStop, { once: true });
    this.#limit = startTimeLimit(timeoutMs, () => {
      this.#isOver = true;
      this.#abort.abort(new DOMException(`the call did not end within ${timeoutMs} ms`, "TimeoutError"));
    });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Whether the time was over before the call ended. */
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
