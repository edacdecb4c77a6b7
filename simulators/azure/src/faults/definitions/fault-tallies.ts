import type { Store, Table } from "../../store/store.ts";

export interface Tally {
  /** Requests that a fault matched, and those into which it was injected. */
  readonly matched: number;
  readonly injected: number;
}

/** How often each fault has struck since it was set, over restarts. Changes belong in a transaction. */
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
