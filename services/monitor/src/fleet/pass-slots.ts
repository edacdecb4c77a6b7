import type { Clock } from "@keelson/base";

export interface PassSlotsOptions {
  /** Passes at work at the same time. */
  readonly limit: number;
  /** After so long without progress a pass counts as one that waits for its cluster, and gives its slot to another. */
  readonly stalledMs: number;
  readonly clock: Clock;
}

/** Passes that wait for their clusters, for each one that may be at work. */
const stalledPerSlot = 4;

/**
 * Bounds how many passes are at work at once; the others wait in the order in which they came. One that waits for a
 * cluster that does not answer holds up none of them, unless there are very many.
 */
export class PassSlots {
  readonly #options: PassSlotsOptions;
  readonly #waiting = new Set<() => void>();
  #taken = 0;
  #stalled = 0;

  constructor(options: PassSlotsOptions) {
    this.#options = options;
  }

  /** Passes that are due and wait for a slot. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Passes that have begun and not ended, at work or not. */
  get active(): number {
    return this.#taken + this.#stalled;
  }

  /** Runs `pass` in a slot; it calls `progress` whenever it goes on. False when the signal aborted before there was one. */
  async run(pass: (progress: () => void) => Promise<void>, signal: AbortSignal): Promise<boolean> {
    if (!(await this.#take(signal))) return false;
    const { stalledMs, clock } = this.#options;
    const ended = new AbortController();
    let lastMs = clock.monotonicMs();
    let isStalled = false;
    const watch = async () => {
      while (!ended.signal.aborted) {
        const waitMs = Math.max(1, lastMs + stalledMs - clock.monotonicMs());
        await clock.sleep(waitMs, ended.signal).catch(() => undefined);
        if (ended.signal.aborted || clock.monotonicMs() - lastMs < stalledMs) continue;
        if (this.#stalled >= stalledPerSlot * this.#options.limit) {
          lastMs = clock.monotonicMs();
          continue;
        }
        isStalled = true;
        this.#stalled++;
        this.#release();
        return;
      }
    };
    void watch();
    try {
      await pass(() => {
        lastMs = clock.monotonicMs();
      });
    } finally {
      ended.abort();
      if (isStalled) this.#stalled--;
      else this.#release();
    }
    return true;
  }

  async #take(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (this.#taken < this.#options.limit) {
      this.#taken++;
      return true;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const grant = () => resolve(true);
    const abort = () => {
      // Otherwise it has a slot already.
      if (this.#waiting.delete(grant)) resolve(false);
    };
    this.#waiting.add(grant);
    signal.addEventListener("abort", abort, { once: true });
    const granted = await promise;
    signal.removeEventListener("abort", abort);
    return granted;
  }

  /** To the one that has waited longest. */
  #release(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#taken--;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
