/** Bounds of a cluster's history. The oldest changes beyond them are dropped, whatever their age. */
export interface HistoryBounds {
  readonly events: number;
  readonly bytes: number;
}

/** The history of one cluster. */
export interface HistoryKeeper {
  readonly historyWindow: HistoryBounds;
  /** Forgets the older half, as far as it is durable. */
  forgetHalf(): void;
}

const defaultBounds: HistoryBounds = { events: 500_000, bytes: 512 * 1_024 * 1_024 };

/** The histories of all clusters of a process, bounded together: the largest gives way, so that others keep theirs. */
export class SharedHistory {
  readonly #bounds: HistoryBounds;
  readonly #keepers = new Set<HistoryKeeper>();
  #events = 0;
  #bytes = 0;

  constructor(bounds = defaultBounds) {
    this.#bounds = bounds;
  }

  /** What all of them hold. */
  get total(): HistoryBounds {
    return { events: this.#events, bytes: this.#bytes };
  }

  join(keeper: HistoryKeeper): void {
    this.#keepers.add(keeper);
  }

  leave(keeper: HistoryKeeper): void {
    this.#keepers.delete(keeper);
  }

  /** Changes were kept by a keeper, or forgotten where the numbers are negative. */
  count(events: number, bytes: number): void {
    this.#events += events;
    this.#bytes += bytes;
  }

  /** Makes the largest histories shorter until all fit. */
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
