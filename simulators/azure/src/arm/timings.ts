/** Duration in milliseconds: fixed, or a range from which a random duration is drawn. */
export type Range = number | { readonly min: number; readonly max: number };

/**
 * Durations of simulated operations and responses. If an operation's duration is 0 ms, it completes before the response to its
 * start request is sent.
 */
export interface Timings {
  readonly vmCreateMs: Range;
  readonly vmDeleteMs: Range;
  readonly vmActionMs: Range;
  readonly virtualNetworkWriteMs: Range;
  readonly subnetWriteMs: Range;
  /** Minimum duration of a deployment. Does not apply to nested deployments. */
  readonly deploymentMs: Range;
  readonly groupDeleteMs: Range;
  /** Duration of deleting a group that a resource provider manages. */
  readonly managedGroupDeleteMs: Range;
  readonly latencies: Latencies;
  /**
   * Recorded `Retry-After` values. With these values, polls are answered immediately. Without them, a poll waits for an operation
   * that ends within a second.
   */
  readonly recordedPolls?: RecordedPolls;
}

/** Response latencies. */
export interface Latencies {
  /**
   * Response latencies in ms. A key is a method with a lower-case resource type, such as `put microsoft.network/virtualnetworks`,
   * or only a method.
   */
  readonly byRequest: Readonly<Record<string, Range>>;
  /** Latency of the response to a cluster creation. During this time, the resource provider validates the cluster. */
  readonly clusterValidationMs: Range;
  /** Latency of a role assignment to a principal that was created less than `freshMs` ago. */
  readonly freshAssignmentMs: Range;
  /** Age in ms from which a principal no longer counts as new. */
  readonly freshMs: number;
}

/** `Retry-After` in seconds, by lower-case resource type. Operations of unlisted types have no `Retry-After` header. */
export interface RecordedPolls {
  readonly retryAfter: Readonly<Record<string, number>>;
}

const noLatencies: Latencies = {
  byRequest: {},
  clusterValidationMs: 0,
  freshAssignmentMs: 0,
  freshMs: 0,
};

/** Short durations that are still long enough for a client to observe intermediate states. */
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
