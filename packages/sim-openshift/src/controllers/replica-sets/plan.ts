import type { KubeObject } from "@keelson/apiserver";
import { numberAt, textsAt } from "../../runtime/fields.ts";
import { controlledBy } from "../../runtime/ownership.ts";
import { isActive, isReady } from "../pods/pod-state.ts";

export interface ReplicaSetPlan {
  readonly create: number;
  /** Names of pods. */
  readonly delete: readonly string[];
  readonly status: Readonly<Record<string, unknown>>;
}

/** What brings a ReplicaSet to `spec.replicas`. Surplus pods go in this order: not ready ones, then the newest. */
export function planReplicaSet(replicaSet: KubeObject, pods: readonly KubeObject[]): ReplicaSetPlan {
  const active = controlledBy(replicaSet, pods).filter(isActive);
  const wanted =
    replicaSet.metadata.deletionTimestamp === undefined ? (numberAt(replicaSet, "spec", "replicas") ?? 1) : 0;
  const surplus = Math.max(0, active.length - wanted);
  const labels = Object.entries(textsAt(replicaSet, "spec", "template", "metadata", "labels"));
  const labelled = active.filter((pod) =>
    labels.every(([name, value]) => textsAt(pod, "metadata", "labels")[name] === value),
  );
  const ready = active.filter(isReady).length;
  return {
    create: Math.max(0, wanted - active.length),
    delete: active
      .toSorted(byDeletionOrder)
      .slice(0, surplus)
      .map(({ metadata }) => metadata.name),
    status: {
      replicas: active.length,
      fullyLabeledReplicas: labelled.length,
      readyReplicas: ready,
      availableReplicas: ready,
      observedGeneration: replicaSet.metadata.generation ?? 1,
    },
  };
}

function byDeletionOrder(a: KubeObject, b: KubeObject): number {
  const created = (pod: KubeObject) => pod.metadata.creationTimestamp ?? "";
  return Number(isReady(a)) - Number(isReady(b)) || created(b).localeCompare(created(a));
}
