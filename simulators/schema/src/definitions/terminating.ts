import type { KubeObject } from "@keelson/apimachinery";
import { listAt, objectAt } from "@keelson/base";
import { type Condition, withCondition } from "./conditions.ts";

/** Finalizer that delays a definition's removal until its instances are deleted. */
export const instanceCleanup = "customresourcecleanup.apiextensions.k8s.io";

/** Progress of deleting a definition's instances. */
export type Termination = "pending" | "inProgress" | "completed" | "neverEstablished";

const conditions: Readonly<Record<Termination, Condition>> = {
  pending: {
    type: "Terminating",
    status: "True",
    reason: "InstanceDeletionPending",
    message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
  },
  inProgress: {
    type: "Terminating",
    status: "True",
    reason: "InstanceDeletionInProgress",
    message: "CustomResource deletion is in progress",
  },
  completed: {
    type: "Terminating",
    status: "False",
    reason: "InstanceDeletionCompleted",
    message: "removed all instances",
  },
  neverEstablished: {
    type: "Terminating",
    status: "False",
    reason: "NeverEstablished",
    message: "resource was never established",
  },
};

export function withTermination(definition: KubeObject, termination: Termination, now: string): KubeObject {
  const status = objectAt(definition, "status");
  const next = withCondition(listAt(status, "conditions"), conditions[termination], now);
  return { ...definition, status: { ...status, conditions: next } };
}

/** Marks a definition for deletion and adds the cleanup finalizer. */
export function markTerminating(definition: KubeObject, at: string): KubeObject {
  const { metadata } = definition;
  const finalizers = [...new Set([...(metadata.finalizers ?? []), instanceCleanup])];
  const marked = { ...definition, metadata: { ...metadata, deletionTimestamp: at, finalizers } };
  return withTermination(marked, "pending", at);
}

/** Removes the cleanup finalizer. */
export function withoutCleanup(definition: KubeObject): KubeObject {
  const finalizers = definition.metadata.finalizers?.filter((each) => each !== instanceCleanup) ?? [];
  return { ...definition, metadata: { ...definition.metadata, finalizers } };
}
