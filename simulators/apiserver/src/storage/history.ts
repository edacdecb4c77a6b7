import type { HistoryBounds, SharedHistory } from "./shared-history.ts";
import { firstAfter, type StoreEvent } from "./store-event.ts";

/** Recent changes of a cluster, ordered by revision, and their total size. */
export class History {
  readonly #events: StoreEvent[] = [];
  #shared: SharedHistory | undefined;
  #bytes = 0;

  /** `shared` counts the changes of all clusters in the process. */
  constructor(shared: SharedHistory) {
    this.#shared = shared;
  }

  get count(): number {
    return this.#events.length;
  }

  /** Total size of the changes in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  get oldest(): StoreEvent | undefined {
    return this.#events[0];
  }

  push(event: StoreEvent): void {
    this.#events.push(event);
    this.#count(1, event.current.size);
  }

  /** Removes and returns the newest change. */
  pop(): StoreEvent | undefined {
    const event = this.#events.pop();
    if (event) this.#count(-1, -event.current.size);
    return event;
  }

  /** Subtracts this history from the counts of the shared history. */
  release(): void {
    this.#shared?.count(-this.count, -this.#bytes);
    this.#shared = undefined;
  }

  /** Returns the changes after the revision `from`, up to and including the revision `to`. */
  after(from: number, to: number): readonly StoreEvent[] {
    return this.#events.slice(firstAfter(this.#events, from), firstAfter(this.#events, to));
  }

  /**
   * Returns the revision up to which the history must be compacted to be well within the bounds. Returns 0 if no compaction is
   * needed.
   */
  excess({ events, bytes }: HistoryBounds): number {
    if (this.#events.length <= events && this.#bytes <= bytes) return 0;
    // The compaction removes changes until the history is 20 % below the bounds, so that compactions are rare.
    let left = this.#bytes;
    let at = 0;
    while (this.#events.length - at > events * 0.8 || left > bytes * 0.8) {
      left -= this.#events[at++]?.current.size ?? 0;
    }
    return this.#events[at - 1]?.revision ?? 0;
  }

  /** Returns the revision up to which a compaction removes the older half of the bytes. Returns 0 for an empty history. */
  half(): number {
    let left = this.#bytes;
    let at = 0;
    while (left > this.#bytes / 2) left -= this.#events[at++]?.current.size ?? 0;
    return this.#events[at - 1]?.revision ?? 0;
  }

  /** Returns the newest revision before a time, or 0 if no change is older than this time. */
  before(atMs: number): number {
    const young = this.#events.findIndex((event) => event.atMs >= atMs);
    return this.#events[(young < 0 ? this.#events.length : young) - 1]?.revision ?? 0;
  }

  /** Removes and returns the changes up to a revision. */
  forget(revision: number): readonly StoreEvent[] {
    const gone = this.#events.splice(0, firstAfter(this.#events, revision));
    for (const { current } of gone) this.#count(-1, -current.size);
    return gone;
  }

  #count(events: number, bytes: number): void {
    this.#bytes += bytes;
    this.#shared?.count(events, bytes);
  }
}
