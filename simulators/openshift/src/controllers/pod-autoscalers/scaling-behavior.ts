import { listAt, numberAt, stringAt } from "@keelson/base";

/** Scaling history of an autoscaler. It is only in memory, as in kube-controller-manager. */
export interface ScalingHistory {
  /** Previous recommendations with their times. */
  readonly recommendations: { readonly atMs: number; readonly replicas: number }[];
  /** Replica changes with their times. Positive values are additions. */
  readonly changes: { readonly atMs: number; readonly change: number }[];
}

export interface Limits {
  readonly min: number;
  readonly max: number;
  /** Value of `spec.behavior`. */
  readonly behavior: unknown;
}

export interface Decision {
  readonly replicas: number;
  /**
   * Direction that the stabilization window delayed: `up` if it lowered the recommendation, `down` if it raised the
   * recommendation. Used for the condition `AbleToScale`. `undefined` if the recommendation is unchanged.
   */
  readonly stabilized: "up" | "down" | undefined;
  /** Reason of the condition `ScalingLimited`. `undefined` if no limit applied. */
  readonly limited: "TooManyReplicas" | "TooFewReplicas" | "ScaleUpLimit" | "ScaleDownLimit" | undefined;
}

const defaultPolicies = {
  scaleUp: [
    { type: "Pods", value: 4, periodSeconds: 15 },
    { type: "Percent", value: 100, periodSeconds: 15 },
  ],
  scaleDown: [{ type: "Percent", value: 100, periodSeconds: 15 }],
} as const;
const defaultWindowSeconds = { scaleUp: 0, scaleDown: 300 } as const;

type Direction = keyof typeof defaultPolicies;

/** Retention of the history in milliseconds: the API's maximum stabilization window and policy period (one hour). */
const keptMs = 3_600_000;

/**
 * Computes the next replica count. First stabilizes the recommendation, then applies rate policies and limits. Adds the
 * recommendation to the history.
 * @see kubernetes/kubernetes pkg/controller/podautoscaler/horizontal.go (normalizeDesiredReplicasWithBehaviors)
 */
export function decideReplicas(
  recommended: number,
  current: number,
  limits: Limits,
  history: ScalingHistory,
  nowMs: number,
): Decision {
  const stable = stabilize(recommended, current, limits.behavior, history, nowMs);
  forget(history, nowMs);
  history.recommendations.push({ atMs: nowMs, replicas: recommended });
  const stabilized = stable === recommended ? undefined : stable > recommended ? "down" : "up";
  if (stable > current) {
    const rate = Math.max(current, rateLimit("scaleUp", current, limits.behavior, history, nowMs));
    const most = Math.min(limits.max, rate);
    const limited = stable <= most ? undefined : most === limits.max ? "TooManyReplicas" : "ScaleUpLimit";
    return { replicas: Math.min(stable, most), stabilized, limited };
  }
  if (stable < current) {
    const rate = Math.min(current, rateLimit("scaleDown", current, limits.behavior, history, nowMs));
    const least = Math.max(limits.min, rate);
    const limited = stable >= least ? undefined : least === limits.min ? "TooFewReplicas" : "ScaleDownLimit";
    return { replicas: Math.max(stable, least), stabilized, limited };
  }
  const limited =
    recommended > limits.max ? "TooManyReplicas" : recommended < limits.min ? "TooFewReplicas" : undefined;
  return { replicas: current, stabilized, limited };
}

/**
 * Returns the replica count between two bounds that is closest to the current count. The lower bound is the lowest recommendation
 * in the scale-up window. The upper bound is the highest recommendation in the scale-down window.
 */
function stabilize(
  recommended: number,
  current: number,
  behavior: unknown,
  { recommendations }: ScalingHistory,
  nowMs: number,
): number {
  const within = (direction: Direction) => {
    const seconds =
      numberAt(behavior, direction, "stabilizationWindowSeconds") ?? defaultWindowSeconds[direction];
    return recommendations
      .filter(({ atMs }) => atMs > nowMs - seconds * 1_000)
      .map(({ replicas }) => replicas);
  };
  const lowest = Math.min(recommended, ...within("scaleUp"));
  const highest = Math.max(recommended, ...within("scaleDown"));
  return Math.min(Math.max(current, lowest), highest);
}

/** Returns the replica count that the rate policies of a direction currently allow. */
function rateLimit(
  direction: Direction,
  current: number,
  behavior: unknown,
  { changes }: ScalingHistory,
  nowMs: number,
): number {
  const select = stringAt(behavior, direction, "selectPolicy") ?? "Max";
  if (select === "Disabled") return current;
  const own = listAt(behavior, direction, "policies");
  const allowed = (own.length > 0 ? own : defaultPolicies[direction]).map((policy) => {
    const since = nowMs - (numberAt(policy, "periodSeconds") ?? 15) * 1_000;
    const done = changes.filter(({ atMs }) => atMs > since).reduce((sum, { change }) => sum + change, 0);
    const before = current - done;
    const value = numberAt(policy, "value") ?? 0;
    const sign = direction === "scaleUp" ? 1 : -1;
    if (stringAt(policy, "type") === "Pods") return before + sign * value;
    const part = before * (1 + (sign * value) / 100);
    return direction === "scaleUp" ? Math.ceil(part) : Math.floor(part);
  });
  // `Max` selects the policy with the largest change: the most replicas upwards, the fewest downwards.
  const wantsMost = (select === "Max") === (direction === "scaleUp");
  return wantsMost ? Math.max(...allowed) : Math.min(...allowed);
}

function forget({ recommendations, changes }: ScalingHistory, nowMs: number): void {
  for (const list of [recommendations, changes]) {
    const kept = list.findIndex(({ atMs }) => atMs > nowMs - keptMs);
    list.splice(0, kept < 0 ? list.length : kept);
  }
}
