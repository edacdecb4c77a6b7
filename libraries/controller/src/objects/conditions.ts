import { isPlainObject, listAt, stringAt } from "@keelson/base";

export type ConditionStatus = "True" | "False" | "Unknown";

export interface Condition {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason?: string;
  readonly message?: string;
  /** Generation of the evaluated spec. Some kinds have this field in their conditions. */
  readonly observedGeneration?: number;
}

/**
 * Merges the conditions `wanted` by type into the conditions of `object.status`, and preserves the order. Returns undefined if no
 * condition changes. `lastTransitionTime` changes only with the condition's status (API conventions, "Typical status
 * properties").
 */
export function changedConditions(
  object: unknown,
  wanted: readonly Condition[],
  now: Date,
): readonly unknown[] | undefined {
  const present = listAt(object, "status", "conditions");
  let changed = false;
  const merged = present.map((before) => {
    const condition = wanted.find(({ type }) => type === stringAt(before, "type"));
    if (!condition || isSame(before, condition)) return before;
    changed = true;
    const since =
      stringAt(before, "status") === condition.status ? stringAt(before, "lastTransitionTime") : undefined;
    return { ...condition, lastTransitionTime: since ?? timestamp(now) };
  });
  const known = new Set(present.map((each) => stringAt(each, "type")));
  const added = wanted.filter(({ type }) => !known.has(type));
  if (!changed && added.length === 0) return undefined;
  return [...merged, ...added.map((condition) => ({ ...condition, lastTransitionTime: timestamp(now) }))];
}

function isSame(before: unknown, condition: Condition): boolean {
  if (!isPlainObject(before)) return false;
  return (["status", "reason", "message", "observedGeneration"] as const).every(
    (member) => (before[member] ?? "") === (condition[member] ?? ""),
  );
}

/** Formats a time as RFC 3339 without fractions, like Kubernetes' `metav1.Time`. */
export function timestamp(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}
