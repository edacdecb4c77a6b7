/** Strings in ascending order of their UTF-16 units, as etcd orders the keys of objects. */
export class SortedKeys {
  readonly #keys: string[] = [];

  get size(): number {
    return this.#keys.length;
  }

  add(key: string): void {
    const at = this.#lowerBound(key);
    if (this.#keys[at] !== key) this.#keys.splice(at, 0, key);
  }

  delete(key: string): void {
    const at = this.#lowerBound(key);
    if (this.#keys[at] === key) this.#keys.splice(at, 1);
  }

  /** The keys that begin with `prefix`. */
  withPrefix(prefix: string): readonly string[] {
    if (prefix === "") return this.#keys;
    return this.#keys.slice(this.#lowerBound(prefix), this.#lowerBound(`${prefix}\uffff`));
  }

  #lowerBound(key: string): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#keys[middle] ?? "") < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
