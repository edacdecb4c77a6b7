import type { Store, Table } from "../store/store.ts";

/** Registration states of providers in the subscription. Default: all registered. */
export class Registrations {
  readonly #states: Table<string>;

  constructor(store: Store) {
    this.#states = store.table("registration");
  }

  stateOf(namespace: string): string {
    return this.#states.get(namespace.toLowerCase()) ?? "Registered";
  }

  set(namespace: string, state: "Registered" | "Unregistered"): void {
    this.#states.set(namespace.toLowerCase(), state);
  }
}
