import type { Clock } from "@keelson/base";

export interface PassSlotsOptions {
  /** Maximum number of collections that are active at the same time. */
  readonly limit: number;
  /** Time in ms without progress after which a collection counts as waiting for its cluster and releases its slot. */
  readonly stalledMs: number;
  readonly clock: Clock;
}

/** Maximum number of collections that wait for their clusters, per slot. */
const stalledPerSlot = 4;

/**
 * Limits the number of active collections. Further collections wait for a slot, in order. A collection that waits for an
 * unresponsive cluster releases its slot. At most `stalledPerSlot` collections per slot may wait without a slot. Beyond this
 * number, a collection keeps its slot while it waits.
 */
export class PassSlots {
  readonly #options: PassSlotsOptions;
  readonly #waiting = new Set<() => void>();
  #taken = 0;
  #stalled = 0;

  constructor(options: PassSlotsOptions) {
    this.#options = options;
  }

  /** Number of due collections that wait for a slot. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Number of started collections. Includes collections that wait for their clusters. */
  get active(): number {
    return this.#taken + this.#stalled;
  }

  /**
   * Runs `pass` in a slot. `pass` calls `progress` after each response. Returns false if the signal aborted before a slot was
   * free.
   */
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
      // If `grant` is no longer in the list of waiting collections, the collection has received a slot and must not resolve to
      // false.
      if (this.#waiting.delete(grant)) resolve(false);
    };
    this.#waiting.add(grant);
    signal.addEventListener("abort", abort, { once: true });
    const granted = await promise;
    signal.removeEventListener("abort", abort);
    return granted;
  }

  /** Releases the slot to the collection that has waited longest. */
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
