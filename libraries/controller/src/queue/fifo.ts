/**
 * Number of consumed entries above which the queue may release memory. The queue releases memory only if more than half of all
 * entries are consumed.
 */
const dropAfter = 1_024;

/** First-in, first-out queue with constant-time operations. An array or a Set needs more time to remove its first entry. */
export class Fifo<T> {
  #items: (T | undefined)[] = [];
  #head = 0;

  get size(): number {
    return this.#items.length - this.#head;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    if (this.size === 0) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head] = undefined;
    this.#head += 1;
    if (this.#head > dropAfter && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
}
