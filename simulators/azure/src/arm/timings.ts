/** A duration in milliseconds, fixed or drawn evenly from a range. */
export type Range = number | { readonly min: number; readonly max: number };

/** How long the simulated operations take. 0 ends one before its request is answered. */
export interface Timings {
  readonly vmCreateMs: Range;
  readonly vmDeleteMs: Range;
  readonly vmActionMs: Range;
  readonly groupDeleteMs: Range;
}

/** Fast, yet long enough for a watcher to see. */
export const defaultTimings: Timings = {
  vmCreateMs: { min: 400, max: 900 },
  vmDeleteMs: { min: 100, max: 300 },
  vmActionMs: { min: 100, max: 300 },
  groupDeleteMs: { min: 100, max: 300 },
};

export const instantTimings: Timings = { vmCreateMs: 0, vmDeleteMs: 0, vmActionMs: 0, groupDeleteMs: 0 };

export function draw(range: Range): number {
  if (typeof range === "number") return range;
  return Math.round(range.min + Math.random() * (range.max - range.min));
}
