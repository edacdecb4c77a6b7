/** The signal of one call: it aborts with `stop`, or after `timeoutMs`. Disposal leaves nothing with `stop`, which lives on. */
export class CallLimit implements Disposable {
  readonly #abort = new AbortController();
  readonly #stop: AbortSignal;
  readonly #timer: NodeJS.Timeout;
  readonly #onStop = () => this.#abort.abort(this.#stop.reason);
  #isOver = false;

  constructor(stop: AbortSignal, timeoutMs: number) {
    this.#stop = stop;
    if (stop.aborted) this.#onStop();
    else stop.addEventListener("abort", this.#onStop, { once: true });
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      this.#abort.abort(new DOMException(`the call did not end within ${timeoutMs} ms`, "TimeoutError"));
    }, timeoutMs);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Whether the time was over before the call ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#stop.removeEventListener("abort", this.#onStop);
  }
}
