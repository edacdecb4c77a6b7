import type { StoredObject } from "./stored-object.ts";

/** One change of one object. For a deletion `current` is the last state under the deletion's revision. */
export interface StoreEvent {
  readonly revision: number;
  readonly bucket: string;
  readonly deleted: boolean;
  readonly previous: StoredObject | undefined;
  readonly current: StoredObject;
  /** When it happened, or was read back after a restart, in milliseconds of the store's clock. */
  readonly atMs: number;
}

/** The index of the first of some events, in the order of their revisions, that is after `revision`. */
export function firstAfter(events: readonly StoreEvent[], revision: number): number {
  let low = 0;
  let high = events.length;
  // Watchers ask for the newest ones.
  if (high === 0 || (events[high - 1]?.revision ?? 0) <= revision) return high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((events[middle]?.revision ?? 0) <= revision) low = middle + 1;
    else high = middle;
  }
  return low;
}
