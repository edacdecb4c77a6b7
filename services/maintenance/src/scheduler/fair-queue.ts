/**
 * Queue of distinct (group, item) pairs. The queue serves groups in turn (round-robin), so a large group does not delay small
 * groups. Within a group, items remain in insertion order.
 */
export class FairQueue {
  readonly #groups = new Map<string, Set<string>>();

  add(group: string, item: string): void {
    const items = this.#groups.get(group);
    if (items) items.add(item);
    else this.#groups.set(group, new Set([item]));
  }

  /** Removes and returns the next pair. The group of this pair moves to the end of the queue. */
  take(): { readonly group: string; readonly item: string } | undefined {
    const [next] = this.#groups;
    if (!next) return undefined;
    const [group, items] = next;
    const [item] = items;
    this.#groups.delete(group);
    if (item === undefined) return this.take();
    items.delete(item);
    if (items.size > 0) this.#groups.set(group, items);
    return { group, item };
  }
}
