import { Fifo } from "@keelson/controller";

/** Maximum number of writes that start in one event loop turn. A write needs about half a millisecond. */
const writesPerTurn = 16;

/**
 * Limits the writes that start in one event loop turn, so that requests of clients can run between two turns. Waiting writes have
 * one queue for each owner, for example a cluster. The owners take turns, so that no owner delays the others.
 */
export class WritePace {
  #started = 0;
  /** Waiting writes by owner. The first owner starts the next write. */
  readonly #waiting = new Map<object, Fifo<() => void>>();
  #scheduled = false;

  /** Returns a promise that resolves when the write may start. Returns undefined if the write may start immediately. */
  next(owner: object): Promise<void> | undefined {
    this.#schedule();
    if (this.#started < writesPerTurn && !this.#waiting.has(owner)) {
      this.#started++;
      return undefined;
    }
    return new Promise((resolve) => {
      const queue = this.#waiting.get(owner) ?? new Fifo();
      queue.push(resolve);
      this.#waiting.set(owner, queue);
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
    // A map iterates in insertion order. An owner that is inserted again comes after all others.
    for (const [owner, queue] of this.#waiting) {
      if (this.#started >= writesPerTurn) break;
      this.#started++;
      queue.shift()?.();
      this.#waiting.delete(owner);
      if (queue.size > 0) this.#waiting.set(owner, queue);
    }
    if (this.#started > 0) this.#schedule();
  }
}

/** Pace of all workload controllers in this process. */
export const sharedWritePace = new WritePace();
