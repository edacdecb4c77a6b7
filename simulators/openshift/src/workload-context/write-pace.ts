/** Maximum number of writes that start in one event loop turn. A write needs about half a millisecond. */
const writesPerTurn = 16;

/** Limits the writes that start in one event loop turn, so that requests of clients can run between two turns. */
export class WritePace {
  #started = 0;
  /** Waiting writes. The first waiting write is at the index `#next`. */
  #waiting: (() => void)[] = [];
  #next = 0;
  #scheduled = false;

  /** Returns a promise that resolves when the write may start. Returns undefined if the write may start immediately. */
  next(): Promise<void> | undefined {
    this.#schedule();
    if (this.#started < writesPerTurn) {
      this.#started++;
      return undefined;
    }
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#run());
  }

  #run(): void {
    this.#scheduled = false;
    this.#started = 0;
    while (this.#next < this.#waiting.length && this.#started < writesPerTurn) {
      this.#started++;
      this.#waiting[this.#next++]?.();
    }
    if (this.#next === this.#waiting.length) {
      this.#waiting = [];
      this.#next = 0;
    }
    if (this.#started > 0) this.#schedule();
  }
}

/** Pace of all workload controllers in this process. */
export const sharedWritePace = new WritePace();
