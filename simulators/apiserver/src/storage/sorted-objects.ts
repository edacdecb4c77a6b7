import type { StoredObject } from "./stored-object.ts";

/** Objects sorted by the UTF-16 code units of their keys. etcd has the same order for object keys. */
export class SortedObjects {
  readonly #byKey = new Map<string, StoredObject>();
  readonly #sorted: StoredObject[] = [];

  get size(): number {
    return this.#sorted.length;
  }

  get(key: string): StoredObject | undefined {
    return this.#byKey.get(key);
  }

  set(stored: StoredObject): void {
    const at = this.#firstFrom(stored.key);
    const known = this.#byKey.has(stored.key);
    this.#byKey.set(stored.key, stored);
    if (known) this.#sorted[at] = stored;
    else if (at === this.#sorted.length) this.#sorted.push(stored);
    else this.#sorted.splice(at, 0, stored);
  }

  delete(key: string): void {
    if (this.#byKey.delete(key)) this.#sorted.splice(this.#firstFrom(key), 1);
  }

  /** Returns the first `most` objects with a key prefix, starting after the key `after`. */
  range(prefix: string, after = "", most = Number.POSITIVE_INFINITY): readonly StoredObject[] {
    const from = after > prefix ? this.#firstFrom(`${after}\0`) : this.#firstFrom(prefix);
    const to = prefix === "" ? this.size : this.#firstFrom(`${prefix}\uffff`);
    return this.#sorted.slice(from, Math.min(to, from + most));
  }

  #firstFrom(key: string): number {
    let low = 0;
    let high = this.#sorted.length;
    // Fast path for keys that sort last. Such keys are common when names increase and when a store is restored.
    if (high > 0 && (this.#sorted[high - 1]?.key ?? "") < key) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sorted[middle]?.key ?? "") < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
