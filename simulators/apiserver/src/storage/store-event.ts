import type { StoredObject } from "./stored-object.ts";

/** Change of one object. For a deletion, `current` is the last state, with the revision of the deletion. */
export interface StoreEvent {
  readonly revision: number;
  readonly bucket: string;
  readonly deleted: boolean;
  readonly previous: StoredObject | undefined;
  readonly current: StoredObject;
  /**
   * Time of the change in milliseconds of the store's clock. Changes that are restored after a restart have the time of the
   * restore.
   */
  readonly atMs: number;
}

/** Returns the index of the first event after `revision`. Events are sorted by revision. */
export function firstAfter(events: readonly StoreEvent[], revision: number): number {
  let low = 0;
  let high = events.length;
  // Fast path for the newest events, which watches usually request.
  if (high === 0 || (events[high - 1]?.revision ?? 0) <= revision) return high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((events[middle]?.revision ?? 0) <= revision) low = middle + 1;
    else high = middle;
  }
  return low;
}
