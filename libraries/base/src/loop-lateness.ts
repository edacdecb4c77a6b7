/** Interval of the measuring timer in ms. The timer may miss delays that are shorter than this interval. */
const intervalMs = 500;

/**
 * Measures the delay of this thread's timers. Causes of a delay are a busy machine, a suspended process, or long-running code.
 */
export class LoopLateness {
  readonly #nowMs: () => number;
  #sumMs = 0;
  #dueMs: number | undefined;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /**
   * Returns the total delay in ms since the first call. The first call starts the measurement. The timer does not keep the
   * process running.
   */
  totalMs(): number {
    if (this.#dueMs === undefined) this.#schedule();
    return this.#sumMs + this.#overdueMs();
  }

  #overdueMs(): number {
    return this.#dueMs === undefined ? 0 : Math.max(0, this.#nowMs() - this.#dueMs);
  }

  #schedule(): void {
    this.#dueMs = this.#nowMs() + intervalMs;
    setTimeout(() => {
      this.#sumMs += this.#overdueMs();
      this.#schedule();
    }, intervalMs).unref();
  }
}
