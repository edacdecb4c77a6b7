/** Resolves a number or a percentage of `total` (intstr). `up` selects the rounding direction. */
export function countOf(value: unknown, total: number, up: boolean): number {
  if (typeof value === "number") return value;
  const percent = /^(\d+)%$/.exec(typeof value === "string" ? value : "")?.[1];
  if (percent === undefined) return 0;
  const exact = (Number(percent) * total) / 100;
  return up ? Math.ceil(exact) : Math.floor(exact);
}

/** Pod counts of one ReplicaSet during a rollout. */
interface Share {
  readonly wanted: number;
  readonly available: number;
}

export interface RollingState {
  readonly replicas: number;
  readonly maxSurge: number;
  readonly maxUnavailable: number;
  readonly current: Share;
  /** Old ReplicaSets, oldest first. */
  readonly old: readonly Share[];
}

/** Computes the next size of each ReplicaSet within the `maxSurge` and `maxUnavailable` limits. */
export function rollingStep(state: RollingState): {
  readonly current: number;
  readonly old: readonly number[];
} {
  const { replicas, maxSurge, maxUnavailable, old } = state;
  const oldTotal = old.reduce((sum, { wanted }) => sum + wanted, 0);
  const total = oldTotal + state.current.wanted;
  const room = Math.max(0, replicas + maxSurge - total);
  const current =
    state.current.wanted > replicas
      ? replicas
      : state.current.wanted + Math.min(room, replicas - state.current.wanted);
  const minAvailable = replicas - maxUnavailable;
  const notYet = Math.max(0, current - state.current.available);
  let removable = Math.max(0, current + oldTotal - minAvailable - notYet);
  // Removes unavailable pods first.
  const cleaned = old.map(({ wanted, available }) => {
    const broken = Math.min(removable, Math.max(0, wanted - available));
    removable -= broken;
    return wanted - broken;
  });
  const available = state.current.available + old.reduce((sum, each) => sum + each.available, 0);
  let spare = Math.min(removable, Math.max(0, available - minAvailable));
  return {
    current,
    old: cleaned.map((wanted) => {
      const down = Math.min(spare, wanted);
      spare -= down;
      return wanted - down;
    }),
  };
}
