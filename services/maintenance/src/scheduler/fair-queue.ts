/**
 * Queue of distinct pairs of a group and an item. Groups take turns, so that a group with many items does not
 * delay the others. Items of a group keep the order in which they were added.
 */
export class FairQueue {
  readonly #groups = new Map<string, Set<string>>();

  add(group: string, item: string): void {
    const items = this.#groups.get(group);
    if (items) items.add(item);
    else this.#groups.set(group, new Set([item]));
  }

  /** Removes the next pair. Its group moves to the end. */
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
