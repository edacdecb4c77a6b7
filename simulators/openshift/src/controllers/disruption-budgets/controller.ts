import type { KubeObject } from "@keelson/apiserver";
import { withConditions } from "../../runtime/conditions.ts";
import { keyOf, parseKey, settled } from "../../runtime/controller.ts";
import { at, numberAt, recordAt, textAt } from "../../runtime/fields.ts";
import { selectsLabels } from "../../runtime/label-selector.ts";
import type { Outcome } from "../../runtime/work-queue.ts";
import type { WorkloadContext } from "../../workloads/workload-context.ts";
import type { WorkloadController } from "../../workloads/workload-controller.ts";
import { workloadResources } from "../../workloads/workload-resources.ts";
import { writeStatus } from "../../workloads/write-status.ts";
import { countOf } from "../deployments/rolling.ts";
import { isReady } from "../pods/pod-state.ts";

const { disruptionBudgets: resource, pods } = workloadResources;

/** Keeps up what each budget allows (policy/v1 PodDisruptionBudgetStatus). */
export const disruptionBudgets: WorkloadController = {
  name: "disruption-budgets",
  watches: [
    { resource, keys: (budget) => [keyOf(budget)] },
    {
      resource: pods,
      keys: (pod, context) =>
        context
          .cache(resource)
          .by("namespace", pod.metadata.namespace ?? "")
          .filter((budget) => selectsLabels(at(budget, "spec", "selector"), pod.metadata.labels ?? {}))
          .map(keyOf),
    },
  ],
  reconcile,
};

async function reconcile(key: string, context: WorkloadContext): Promise<Outcome> {
  const budget = context.cache(resource).get(parseKey(key));
  if (!budget) return settled;
  const selected = context
    .cache(pods)
    .by("namespace", budget.metadata.namespace ?? "")
    .filter((pod) => !["Succeeded", "Failed"].includes(textAt(pod, "status", "phase") ?? ""))
    .filter((pod) => selectsLabels(at(budget, "spec", "selector"), pod.metadata.labels ?? {}));
  await writeStatus(context, resource, budget, budgetStatus(budget, selected, context));
  return settled;
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
  const most = at(budget, "spec", "maxUnavailable");
  const desired =
    most === undefined
      ? countOf(at(budget, "spec", "minAvailable") ?? 1, expected, true)
      : Math.max(0, expected - countOf(most, expected, true));
  const allowed = expected === 0 ? 0 : Math.max(0, healthy - desired);
  const condition =
    allowed > 0
      ? ({ type: "DisruptionAllowed", status: "True", reason: "SufficientPods", message: "" } as const)
      : ({ type: "DisruptionAllowed", status: "False", reason: "InsufficientPods", message: "" } as const);
  return {
    ...recordAt(budget, "status"),
    observedGeneration: numberAt(budget, "metadata", "generation") ?? 1,
    expectedPods: expected,
    currentHealthy: healthy,
    desiredHealthy: desired,
    disruptionsAllowed: allowed,
    conditions: withConditions(budget, [condition], clock.now()),
  };
}
