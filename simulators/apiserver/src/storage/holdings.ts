import type { HoldingsOf } from "@keelson/kinds";
import type { StoredObject } from "./stored-object.ts";

/** Who holds what in a bucket, as the next writer finds it. It follows from the objects, and is stored nowhere else. */
export class Holdings {
  readonly #holdingsOf: HoldingsOf;
  /** Those of older versions may share what they hold. */
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

  /** Whether an object with another key holds it. */
  hasElsewhere(held: string, key: string): boolean {
    const holders = this.#holders.get(held);
    return holders !== undefined && (holders.size > 1 || !holders.has(key));
  }
}
