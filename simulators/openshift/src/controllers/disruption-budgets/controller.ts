import type { KubeObject } from "@keelson/apiserver";
import { numberAt, objectAt, stringAt, valueAt } from "@keelson/base";
import { type Controller, done, keyOf, type Result, watch, watchMapped } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { withConditions } from "../../base/conditions.ts";
import { selectsLabels } from "../../base/label-selector.ts";
import { resources } from "../../base/resources.ts";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";
import { writeStatus } from "../../workload-context/write-status.ts";
import { countOf } from "../deployments/rolling.ts";
import { isReady } from "../pods/pod-state.ts";

const { disruptionBudgets: resource, pods } = resources;

/** Computes the status of disruption budgets (policy/v1 PodDisruptionBudgetStatus). */
export const disruptionBudgets: Controller<WorkloadContext> = {
  name: "disruption-budgets",
  watches: [
    watch(resource),
    watchMapped(pods, (pod, context: WorkloadContext) =>
      context
        .informer(resource)
        .list(pod.metadata.namespace ?? "")
        .filter((budget) => selectsLabels(valueAt(budget, "spec", "selector"), pod.metadata.labels ?? {}))
        .map(keyOf),
    ),
  ],
  reconcile,
};

async function reconcile(key: ObjectKey, context: WorkloadContext): Promise<Result> {
  const budget = context.informer(resource).get(key);
  if (!budget) return done;
  const selected = context
    .informer(pods)
    .list(budget.metadata.namespace ?? "")
    .filter((pod) => !["Succeeded", "Failed"].includes(stringAt(pod, "status", "phase") ?? ""))
    .filter((pod) => selectsLabels(valueAt(budget, "spec", "selector"), pod.metadata.labels ?? {}));
  await writeStatus(context, resource, budget, budgetStatus(budget, selected, context));
  return done;
}

function budgetStatus(
  budget: KubeObject,
  selected: readonly KubeObject[],
  { clock }: WorkloadContext,
): Record<string, unknown> {
  const expected = selected.length;
  const healthy = selected.filter(
    (pod) => pod.metadata.deletionTimestamp === undefined && isReady(pod),
  ).length;
  const most = valueAt(budget, "spec", "maxUnavailable");
  const desired =
    most === undefined
      ? countOf(valueAt(budget, "spec", "minAvailable") ?? 1, expected, true)
      : Math.max(0, expected - countOf(most, expected, true));
  const allowed = expected === 0 ? 0 : Math.max(0, healthy - desired);
  const condition =
    allowed > 0
      ? ({ type: "DisruptionAllowed", status: "True", reason: "SufficientPods", message: "" } as const)
      : ({ type: "DisruptionAllowed", status: "False", reason: "InsufficientPods", message: "" } as const);
  return {
    ...objectAt(budget, "status"),
    observedGeneration: numberAt(budget, "metadata", "generation") ?? 1,
    expectedPods: expected,
    currentHealthy: healthy,
    desiredHealthy: desired,
    disruptionsAllowed: allowed,
    conditions: withConditions(budget, [condition], clock.now()),
  };
}
