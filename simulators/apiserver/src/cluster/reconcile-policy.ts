import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { inOwnTurns, type KubeObject, requestBudget, StatusError } from "@keelson/apimachinery";
import { isCoded, listAt, objectAt, valueAt, type WorkBudget } from "@keelson/base";
import { parseRule } from "../auth/policy-rule.ts";
import { missingRights } from "../auth/rule-coverage.ts";
import { type RegistryContext, timestamp } from "../resources/registry-context.ts";
import { keyOf } from "../resources/served-resource.ts";
import type { WriteOutcome } from "../storage/revision-store.ts";

/**
 * Annotation of a default role or binding. With the value `false`, the object is not reconciled, so that an administrator's
 * changes remain.
 */
export const autoUpdate = "rbac.authorization.kubernetes.io/autoupdate";

/**
 * Creates missing default roles and bindings, and adds missing rules, selectors, subjects, labels and annotations to stored ones
 * (K/component-helpers auth/rbac/reconciliation). Additions of the cluster's administrator remain. Skips validation for speed,
 * because thousands of clusters start with the same objects.
 */
export async function reconcilePolicy(
  context: RegistryContext,
  wanted: readonly KubeObject[],
): Promise<void> {
  const now = timestamp(context.clock);
  // All roles share one budget, because a cluster's administrator can store roles with very many rules.
  const comparison: Comparison = { budget: requestBudget(), isExhausted: false };
  await Promise.all(
    wanted.map(async (object) => {
      try {
        await reconcileObject(context, object, now, comparison);
      } catch (error) {
        // A cluster that has reached its storage limit must be able to start, so rejected writes are ignored.
        if (!(error instanceof StatusError)) throw error;
      }
    }),
  );
}

/**
 * State of the comparison of rules. After the budget is used up, a default rule counts as present only if an equal rule is
 * stored.
 */
interface Comparison {
  readonly budget: WorkBudget;
  isExhausted: boolean;
}

async function reconcileObject(
  { store }: RegistryContext,
  wanted: KubeObject,
  now: string,
  comparison: Comparison,
): Promise<void> {
  const { name, namespace } = wanted.metadata;
  const bucket = `rbac.authorization.k8s.io/${wanted.kind.toLowerCase()}s`;
  const key = keyOf(namespace, name);
  const created = () => ({
    ...wanted,
    metadata: { uid: randomUUID(), creationTimestamp: now, ...wanted.metadata },
  });
  const stored = store.get(bucket, key);
  if (!stored) return written(store.put(bucket, key, 0, created()));
  // Usually the stored object already contains everything. Comparing serialized bytes avoids parsing the object.
  const parts = [
    wanted.rules ?? wanted.subjects,
    wanted.roleRef,
    wanted.aggregationRule,
    annotationsOf(wanted),
  ];
  const labels = Object.entries(wanted.metadata.labels ?? {}).map(
    ([label, value]) => `${JSON.stringify(label)}:${JSON.stringify(value)}`,
  );
  const texts = [
    ...parts.filter((part) => part !== undefined).map((part) => JSON.stringify(part)),
    ...labels,
  ];
  if (texts.every((text) => stored.bytes.includes(text))) return;
  const current = stored.object;
  if (annotationsOf(current)[autoUpdate] === "false") return;
  if (wanted.roleRef !== undefined && !isDeepStrictEqual(current.roleRef, wanted.roleRef)) {
    // The role of a binding is immutable, so the binding is deleted and created again.
    const removed = store.remove(bucket, key, stored.revision);
    if (removed.kind === "written") await written(store.put(bucket, key, 0, created()));
    return;
  }
  const missing = wanted.kind.endsWith("Binding")
    ? []
    : await missingRules(current, wanted, store, comparison);
  const merged = mergedObject(current, wanted, missing);
  if (!isDeepStrictEqual(merged, current)) await written(store.put(bucket, key, stored.revision, merged));
}

/** Returns the stored object, completed by the missing parts of the default object. */
function mergedObject(current: KubeObject, wanted: KubeObject, newRules: readonly unknown[]): KubeObject {
  const metadata = { ...current.metadata };
  const labels = { ...wanted.metadata.labels, ...current.metadata.labels };
  if (Object.keys(labels).length > 0) metadata.labels = labels;
  metadata.annotations = { ...annotationsOf(wanted), ...annotationsOf(current) };
  const merged = { ...current, metadata };
  if (wanted.kind.endsWith("Binding")) {
    const missing = missingValues(current, wanted, "subjects");
    return missing.length === 0
      ? merged
      : { ...merged, subjects: [...listAt(current, "subjects"), ...missing] };
  }
  if (wanted.aggregationRule !== undefined) return { ...merged, ...aggregation(current, wanted) };
  const { aggregationRule: _, ...plain }: KubeObject = merged;
  return newRules.length === 0 ? plain : { ...plain, rules: [...listAt(current, "rules"), ...newRules] };
}

/** Adds missing selectors. The controller of aggregated roles writes the rules. */
function aggregation(current: KubeObject, wanted: KubeObject): Readonly<Record<string, unknown>> {
  const member = "clusterRoleSelectors";
  const present = objectAt(current, "aggregationRule");
  const missing = missingValues(present, valueAt(wanted, "aggregationRule"), member);
  if (missing.length === 0) return {};
  return { aggregationRule: { ...present, [member]: [...listAt(present, member), ...missing] } };
}

/** Waits until the write is durable. Ignores a conflict, so that the concurrent write remains. */
export async function written(outcome: WriteOutcome): Promise<void> {
  if (outcome.kind === "written") await outcome.durable;
}

async function missingRules(
  current: KubeObject,
  wanted: KubeObject,
  owner: object,
  comparison: Comparison,
): Promise<readonly unknown[]> {
  if (wanted.aggregationRule !== undefined) return [];
  const present = listAt(current, "rules");
  const held = present.map(parseRule);
  const missing: unknown[] = [];
  for (const rule of listAt(wanted, "rules")) {
    if (!(await isGranted(rule))) missing.push(rule);
  }
  return missing;

  async function isGranted(rule: unknown): Promise<boolean> {
    if (!comparison.isExhausted) {
      try {
        const rights = missingRights(held, [parseRule(rule)], comparison.budget);
        return (await inOwnTurns(rights, owner)).length === 0;
      } catch (error) {
        if (!isCoded(error, "WorkBudgetExceeded")) throw error;
        comparison.isExhausted = true;
      }
    }
    return present.some((each) => isDeepStrictEqual(each, rule));
  }
}

function missingValues(current: unknown, wanted: unknown, member: string): readonly unknown[] {
  const known = listAt(current, member);
  return listAt(wanted, member).filter((value) => !known.some((each) => isDeepStrictEqual(each, value)));
}

function annotationsOf({ metadata }: KubeObject): Readonly<Record<string, string>> {
  return metadata.annotations ?? {};
}
