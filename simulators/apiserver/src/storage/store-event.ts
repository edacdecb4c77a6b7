import type { StoredObject } from "./stored-object.ts";

/** Change of one object. For a deletion, `current` is the last state with the deletion's revision. */
export interface StoreEvent {
  readonly revision: number;
  readonly bucket: string;
  readonly deleted: boolean;
  readonly previous: StoredObject | undefined;
  readonly current: StoredObject;
  /** Time of the change, or of the restore after a restart, in milliseconds of the store's clock. */
  readonly atMs: number;
}

/** Index of the first event after `revision`. Events are sorted by revision. */
export function firstAfter(events: readonly StoreEvent[], revision: number): number {
  let low = 0;
  let high = events.length;
  // Fast path: watchers mostly request the newest events.
  if (high === 0 || (events[high - 1]?.revision ?? 0) <= revision) return high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((events[middle]?.revision ?? 0) <= revision) low = middle + 1;
    else high = middle;
  }
  return low;
}
