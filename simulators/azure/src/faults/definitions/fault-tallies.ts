import type { Store, Table } from "../../store/store.ts";

export interface Tally {
  /** Number of matched requests, and number of requests with an injected fault. */
  readonly matched: number;
  readonly injected: number;
}

/** Request counts of each fault since the fault was set. The counts survive restarts. Changes must run in a transaction. */
export class FaultTallies {
  readonly #table: Table<Tally>;

  constructor(store: Store) {
    this.#table = store.table("faultTally");
  }

  of(name: string): Tally {
    return this.#table.get(name) ?? { matched: 0, injected: 0 };
  }

  set(name: string, tally: Tally): void {
    this.#table.set(name, tally);
  }

  forget(name: string): void {
    this.#table.delete(name);
  }
}
