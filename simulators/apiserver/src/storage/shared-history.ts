/** Size limits of a history. Compaction removes the oldest changes beyond the limits, whatever their age. */
export interface HistoryBounds {
  readonly events: number;
  readonly bytes: number;
}

/** History of one cluster. */
export interface HistoryKeeper {
  readonly historyWindow: HistoryBounds;
  /** Compacts the older half of the durable changes. */
  forgetHalf(): void;
}

const defaultBounds: HistoryBounds = { events: 500_000, bytes: 512 * 1_024 * 1_024 };

/**
 * Sizes of the histories of all clusters in a process. If the total exceeds the limits, the largest histories are compacted
 * first.
 */
export class SharedHistory {
  readonly #bounds: HistoryBounds;
  readonly #keepers = new Set<HistoryKeeper>();
  #events = 0;
  #bytes = 0;

  constructor(bounds = defaultBounds) {
    this.#bounds = bounds;
  }

  /** Returns the total size of all histories. */
  get total(): HistoryBounds {
    return { events: this.#events, bytes: this.#bytes };
  }

  join(keeper: HistoryKeeper): void {
    this.#keepers.add(keeper);
  }

  leave(keeper: HistoryKeeper): void {
    this.#keepers.delete(keeper);
  }

  /** Adds to the total size. Compaction passes negative numbers to subtract from it. */
  count(events: number, bytes: number): void {
    this.#events += events;
    this.#bytes += bytes;
  }

  /** Compacts the largest histories until the total is within the bounds. */
  trim(): void {
    const { events, bytes } = this.#bounds;
    while (this.#events > events || this.#bytes > bytes) {
      const by = this.#bytes > bytes ? "bytes" : "events";
      const before = this.total;
      this.#largest(by)?.forgetHalf();
      if (this.#events === before.events) return;
    }
  }

  #largest(by: keyof HistoryBounds): HistoryKeeper | undefined {
    let largest: HistoryKeeper | undefined;
    let size = -1;
    for (const keeper of this.#keepers) {
      const own = keeper.historyWindow[by];
      if (own > size) [largest, size] = [keeper, own];
    }
    return largest;
  }
}
