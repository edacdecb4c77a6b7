import type { HistoryBounds, SharedHistory } from "./shared-history.ts";
import { firstAfter, type StoreEvent } from "./store-event.ts";

/** The recent changes of a cluster in the order of their revisions, and their size. */
export class History {
  readonly #events: StoreEvent[] = [];
  #shared: SharedHistory | undefined;
  #bytes = 0;

  /** `shared` counts what is kept. */
  constructor(shared: SharedHistory) {
    this.#shared = shared;
  }

  get count(): number {
    return this.#events.length;
  }

  /** What the states in the changes take. */
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

  /** Takes back the newest change. */
  pop(): StoreEvent | undefined {
    const event = this.#events.pop();
    if (event) this.#count(-1, -event.current.size);
    return event;
  }

  /** Counts no longer with the others. */
  release(): void {
    this.#shared?.count(-this.count, -this.#bytes);
    this.#shared = undefined;
  }

  /** The changes after one revision, up to another. */
  after(from: number, to: number): readonly StoreEvent[] {
    return this.#events.slice(firstAfter(this.#events, from), firstAfter(this.#events, to));
  }

  /** The revision up to which is to be forgotten so that the rest is well within the bounds; 0 while all of it is. */
  excess({ events, bytes }: HistoryBounds): number {
    if (this.#events.length <= events && this.#bytes <= bytes) return 0;
    // A fifth more than needed, so that forgetting is rare and many at a time.
    let left = this.#bytes;
    let at = 0;
    while (this.#events.length - at > events * 0.8 || left > bytes * 0.8) {
      left -= this.#events[at++]?.current.size ?? 0;
    }
    return this.#events[at - 1]?.revision ?? 0;
  }

  /** The revision up to which the older half goes; 0 when there is nothing. */
  half(): number {
    let left = this.#bytes;
    let at = 0;
    while (left > this.#bytes / 2) left -= this.#events[at++]?.current.size ?? 0;
    return this.#events[at - 1]?.revision ?? 0;
  }

  /** The newest revision older than a time; 0 when there is none. */
  before(atMs: number): number {
    const young = this.#events.findIndex((event) => event.atMs >= atMs);
    return this.#events[(young < 0 ? this.#events.length : young) - 1]?.revision ?? 0;
  }

  /** Forgets the changes up to a revision, and returns them. */
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
