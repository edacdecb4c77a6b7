/** Set that can return a random element in constant time. */
export class RandomSet<T> {
  readonly #members: T[] = [];
  readonly #places = new Map<T, number>();

  get size(): number {
    return this.#members.length;
  }

  add(member: T): void {
    if (this.#places.has(member)) return;
    this.#places.set(member, this.#members.length);
    this.#members.push(member);
  }

  delete(member: T): void {
    const place = this.#places.get(member);
    if (place === undefined) return;
    this.#places.delete(member);
    const last = this.#members.pop();
    if (last === undefined || last === member) return;
    this.#members[place] = last;
    this.#places.set(last, place);
  }

  /** Returns an element. `share` is a random number from 0 (inclusive) to 1 (exclusive). Returns `undefined` for an empty set. */
  pick(share: number): T | undefined {
    return this.#members[Math.floor(share * this.#members.length)];
  }
}
