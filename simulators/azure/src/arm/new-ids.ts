import { randomUUID } from "node:crypto";
import type { Store, Table } from "../store/store.ts";

/**
 * Creates the IDs of new objects. With a seed, an ID depends only on the seed, the object's name, and the number of earlier objects of
 * this name. The order in which different objects are created therefore does not matter.
 */
export class NewIds {
  readonly #store: Store;
  /** Returns the ID for a key. Undefined without a seed. */
  readonly #idOf: ((key: string) => string) | undefined;
  /** Number of created IDs by name. */
  readonly #created: Table<number>;

  constructor(store: Store, idOf: ((key: string) => string) | undefined) {
    this.#store = store;
    this.#idOf = idOf;
    this.#created = store.table("newIds");
  }

  /**
   * Returns the next ID for a name. `property` distinguishes several IDs of one object, for example `vmId`. Without a seed, the
   * ID is random.
   */
  next(name: string, property: string): string {
    if (!this.#idOf) return randomUUID();
    const key = `${property} ${name.toLowerCase()}`;
    const number = (this.#created.get(key) ?? 0) + 1;
    this.#store.transaction(() => this.#created.set(key, number));
    return this.#idOf(`${key} ${number}`);
  }
}
