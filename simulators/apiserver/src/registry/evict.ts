import {
  conditionIsTrue,
  failures,
  type KubeObject,
  labelSelectorOf,
  matchesLabels,
  StatusError,
  scalarStringAt,
} from "@keelson/apimachinery";
import { objectAt, valueAt } from "@keelson/base";
import type { RegistryContext } from "../resources/registry-context.ts";
import type { ServedResource } from "../resources/served-resource.ts";
import { admitCreation } from "./admit.ts";
import { getObject } from "./read.ts";
import { type RemoveOptions, removeObject } from "./remove.ts";

/**
 * Deletes a pod if its disruption budget allows the deletion (policy Eviction). There is no disruption controller. The allowed
 * disruptions are therefore computed from the selected pods.
 * @throws StatusError 400 for a body other than an Eviction of this pod, 404, 409, 429 if the budget does not allow the deletion
 */
export async function evictPod(
  context: RegistryContext,
  pods: ServedResource,
  key: string,
  eviction: unknown,
  options: RemoveOptions,
): Promise<void> {
  const kind = `${scalarStringAt(eviction, "apiVersion")}/${scalarStringAt(eviction, "kind")}`;
  if (!evictions.has(kind)) {
    throw failures.badRequest("the body of an eviction must be an Eviction of policy/v1 or policy/v1beta1");
  }
  const { object: pod } = getObject(context, pods, key);
  const named = scalarStringAt(eviction, "metadata", "name");
  if (named && named !== pod.metadata.name) {
    throw failures.badRequest(
      `name in URL does not match name in Eviction object: ${pod.metadata.name}, ${named}`,
    );
  }
  await admit(context, pods, pod, eviction, options);
  if (isCounted(pod)) checkBudget(context, pod);
  await removeObject(context, pods, key, { ...options, admitted: true });
}

/** Admission runs for the Eviction, but not for the resulting deletion. */
async function admit(
  context: RegistryContext,
  resource: ServedResource,
  { metadata: { name, namespace } }: KubeObject,
  eviction: unknown,
  options: RemoveOptions,
): Promise<void> {
  const metadata = { ...objectAt(eviction, "metadata"), name, ...(namespace ? { namespace } : {}) };
  const [apiVersion, kind] = [scalarStringAt(eviction, "apiVersion"), scalarStringAt(eviction, "kind")];
  const object = { ...objectAt(eviction), apiVersion, kind, metadata };
  await admitCreation(context, resource, { namespace, name }, object, {
    ...options,
    subresource: "eviction",
  });
}

const evictions: ReadonlySet<string> = new Set(["policy/v1/Eviction", "policy/v1beta1/Eviction"]);

/** True if the pod is running and not under deletion. Only the eviction of such a pod is a disruption. */
function isCounted({ metadata, status }: KubeObject): boolean {
  return !metadata.deletionTimestamp && scalarStringAt(status, "phase") === "Running";
}

function checkBudget({ store }: RegistryContext, pod: KubeObject): void {
  const prefix = `${pod.metadata.namespace}/`;
  const selects = (budget: KubeObject, { metadata }: KubeObject) =>
    matchesLabels(labelSelectorOf(valueAt(budget, "spec", "selector")), metadata.labels ?? {});
  const budgets = store
    .range("policy/poddisruptionbudgets", prefix)
    .map(({ object }) => object)
    .filter((each) => selects(each, pod));
  const [budget] = budgets;
  if (!budget) return;
  if (budgets.length > 1) {
    throw new StatusError(
      500,
      "InternalError",
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
    );
  }
  const all = store
    .range("/pods", prefix)
    .map(({ object }) => object)
    .filter((each) => isCounted(each) && selects(budget, each));
  const healthy = all.filter((each) => conditionIsTrue(each, "Ready")).length;
  const needed = neededPods(budget, all.length);
  // The eviction of an unready pod does not reduce the number of healthy pods.
  if (healthy > needed || (!conditionIsTrue(pod, "Ready") && healthy >= needed)) return;
  throw failures.tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", {
    reason: "DisruptionBudget",
    message: `The disruption budget ${budget.metadata.name} needs ${needed} healthy pods and has ${healthy} currently`,
  });
}

/**
 * Returns the required number of healthy pods if `expected` pods exist. Percentages are rounded up, as in the disruption
 * controller.
 */
function neededPods(budget: KubeObject, expected: number): number {
  const most = valueAt(budget, "spec", "maxUnavailable");
  if (most !== undefined) return Math.max(0, expected - countOf(most, expected));
  return countOf(valueAt(budget, "spec", "minAvailable") ?? 1, expected);
}

function countOf(value: unknown, expected: number): number {
  if (typeof value === "number") return value;
  const percent = /^(\d+)%$/.exec(String(value))?.[1];
  return percent === undefined ? 0 : Math.ceil((Number(percent) * expected) / 100);
}
