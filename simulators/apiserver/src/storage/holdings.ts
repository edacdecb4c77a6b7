import type { HoldingsOf } from "@keelson/kinds";
import type { StoredObject } from "./stored-object.ts";

/**
 * Index of the values that only one object in a bucket may have, such as cluster IPs. It maps each value to the objects that have
 * it, including objects with writes that are not durable yet. The index is computed from the objects and not stored.
 */
export class Holdings {
  readonly #holdingsOf: HoldingsOf;
  /**
   * Objects that have each value. Usually one object has a value, but objects stored by older Keelson versions may share a value.
   */
  readonly #holders = new Map<string, Set<string>>();

  constructor(holdingsOf: HoldingsOf, objects: readonly StoredObject[]) {
    this.#holdingsOf = holdingsOf;
    for (const each of objects) this.replace(undefined, each);
  }

  replace(previous: StoredObject | undefined, current: StoredObject | undefined): void {
    for (const each of previous ? this.#holdingsOf(previous.object) : []) {
      const holders = this.#holders.get(each);
      holders?.delete(previous?.key ?? "");
      if (holders?.size === 0) this.#holders.delete(each);
    }
    for (const each of current ? this.#holdingsOf(current.object) : []) {
      const holders = this.#holders.get(each) ?? new Set();
      this.#holders.set(each, holders.add(current?.key ?? ""));
    }
  }

  has(held: string): boolean {
    return this.#holders.has(held);
  }

  /** True if an object with a different key has the value. */
  hasElsewhere(held: string, key: string): boolean {
    const holders = this.#holders.get(held);
    return holders !== undefined && (holders.size > 1 || !holders.has(key));
  }
}
