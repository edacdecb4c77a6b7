/** Interval of the measurement. A shorter delay of the event loop may be missed. */
const intervalMs = 500;

/** Measures how late the event loop of this thread runs its timers: the machine is busy, the process was stopped, or its own code ran long. */
export class LoopLateness {
  readonly #nowMs: () => number;
  #sumMs = 0;
  #dueMs: number | undefined;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Sum of all delays in ms since the first call, which starts the measurement. The timer keeps no process running. */
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
