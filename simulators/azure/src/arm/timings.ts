/** A duration in milliseconds, fixed or drawn evenly from a range. */
export type Range = number | { readonly min: number; readonly max: number };

/** Durations of simulated operations and responses. An operation of 0 ms completes before its response. */
export interface Timings {
  readonly vmCreateMs: Range;
  readonly vmDeleteMs: Range;
  readonly vmActionMs: Range;
  readonly virtualNetworkWriteMs: Range;
  readonly subnetWriteMs: Range;
  /** Shortest duration of a deployment, nested ones excluded. */
  readonly deploymentMs: Range;
  readonly groupDeleteMs: Range;
  /** Deletion of a group that a resource provider manages. */
  readonly managedGroupDeleteMs: Range;
  readonly latencies: Latencies;
  /**
   * Recorded `Retry-After` values, with immediate responses to polls. Default: polls wait for an operation
   * that ends within a second.
   */
  readonly recordedPolls?: RecordedPolls;
}

/** Durations of responses. */
export interface Latencies {
  /**
   * Durations by method and resource type in lower case, such as `put microsoft.network/virtualnetworks`, or
   * by method.
   */
  readonly byRequest: Readonly<Record<string, Range>>;
  /** Validation of a new cluster by the resource provider. */
  readonly clusterValidationMs: Range;
  /** Role assignment to a principal that is younger than `freshMs`. */
  readonly freshAssignmentMs: Range;
  readonly freshMs: number;
}

/** `Retry-After` in seconds by resource type in lower case. Operations of other types have none. */
export interface RecordedPolls {
  readonly retryAfter: Readonly<Record<string, number>>;
}

export const noLatencies: Latencies = {
  byRequest: {},
  clusterValidationMs: 0,
  freshAssignmentMs: 0,
  freshMs: 0,
};

/** Fast, yet long enough for a watcher to see. */
export const defaultTimings: Timings = {
  vmCreateMs: { min: 400, max: 900 },
  vmDeleteMs: { min: 100, max: 300 },
  vmActionMs: { min: 100, max: 300 },
  virtualNetworkWriteMs: { min: 1, max: 3 },
  subnetWriteMs: { min: 1, max: 3 },
  deploymentMs: 0,
  groupDeleteMs: { min: 100, max: 300 },
  managedGroupDeleteMs: { min: 100, max: 300 },
  latencies: noLatencies,
};

export const instantTimings: Timings = {
  vmCreateMs: 0,
  vmDeleteMs: 0,
  vmActionMs: 0,
  virtualNetworkWriteMs: 0,
  subnetWriteMs: 0,
  deploymentMs: 0,
  groupDeleteMs: 0,
  managedGroupDeleteMs: 0,
  latencies: noLatencies,
};

export function draw(range: Range): number {
  if (typeof range === "number") return range;
  return Math.round(range.min + Math.random() * (range.max - range.min));
}
