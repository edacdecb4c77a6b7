import type { KubeObject } from "@keelson/apiserver";
import { numberAt, stringAt } from "@keelson/base";
import { stringMapAt } from "../../base/fields.ts";
import { availableIn, isActive, isReady } from "../pods/pod-state.ts";

export interface ReplicaSetPlan {
  readonly create: number;
  readonly delete: readonly KubeObject[];
  readonly status: Readonly<Record<string, unknown>>;
  /** Milliseconds until the next ready pod becomes available. `undefined` if no ready pod is waiting. */
  readonly waitMs: number | undefined;
}

/** Plans the next step of a ReplicaSet towards `spec.replicas`. `owned` contains its pods. */
export function planReplicaSet(
  replicaSet: KubeObject,
  owned: readonly KubeObject[],
  now: Date,
): ReplicaSetPlan {
  const facts = owned.map(podFacts);
  const active = owned.filter((_, at) => facts[at]?.active);
  const deleted = replicaSet.metadata.deletionTimestamp !== undefined;
  const wanted = numberAt(replicaSet, "spec", "replicas") ?? 1;
  const labels = Object.entries(stringMapAt(replicaSet, "spec", "template", "metadata", "labels"));
  const labelled = active.filter((pod) =>
    labels.every(([name, value]) => pod.metadata.labels?.[name] === value),
  );
  const minReadySeconds = numberAt(replicaSet, "spec", "minReadySeconds") ?? 0;
  const ready = owned.filter((_, at) => facts[at]?.active && facts[at].ready);
  // Without `minReadySeconds`, each ready pod is available.
  const later =
    minReadySeconds === 0
      ? []
      : ready.map((pod) => availableIn(pod, minReadySeconds, now)).filter((ms) => ms > 0);
  return {
    create: deleted ? 0 : Math.max(0, wanted - active.length),
    delete:
      deleted || active.length <= wanted ? [] : inDeletionOrder(active).slice(0, active.length - wanted),
    status: {
      replicas: active.length,
      ...nonZero("fullyLabeledReplicas", labelled.length),
      ...nonZero("readyReplicas", ready.length),
      ...nonZero("availableReplicas", ready.length - later.length),
      observedGeneration: replicaSet.metadata.generation ?? 1,
    },
    waitMs: later.length > 0 ? later.reduce((a, b) => Math.min(a, b)) : undefined,
  };
}

/**
 * Cached facts by pod object. After each status change of a pod, all pods of its ReplicaSet are counted. The cache is valid
 * because pod objects are immutable.
 */
const knownFacts = new WeakMap<KubeObject, { readonly active: boolean; readonly ready: boolean }>();

function podFacts(pod: KubeObject): { readonly active: boolean; readonly ready: boolean } {
  const known = knownFacts.get(pod);
  if (known) return known;
  const facts = { active: isActive(pod), ready: isReady(pod) };
  knownFacts.set(pod, facts);
  return facts;
}

/** Returns a status field with the count. Omits the field if the count is zero, like Kubernetes. */
function nonZero(name: string, count: number): Record<string, number> {
  return count === 0 ? {} : { [name]: count };
}

/** Sorts pods by deletion order: unscheduled, not running, not ready, low deletion cost, newest. */
function inDeletionOrder(pods: readonly KubeObject[]): readonly KubeObject[] {
  // The keys are computed once for each pod, because a comparison of two pods is repeated many times.
  return pods
    .map((pod) => ({
      pod,
      rank: deletionRank(pod),
      cost: Number(pod.metadata.annotations?.["controller.kubernetes.io/pod-deletion-cost"] ?? 0),
      created: pod.metadata.creationTimestamp ?? "",
    }))
    .sort((a, b) => a.rank - b.rank || a.cost - b.cost || compareStrings(b.created, a.created))
    .map(({ pod }) => pod);
}

function deletionRank(pod: KubeObject): number {
  if (!stringAt(pod, "spec", "nodeName")) return 0;
  if (stringAt(pod, "status", "phase") !== "Running") return 1;
  return isReady(pod) ? 3 : 2;
}

function compareStrings(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
