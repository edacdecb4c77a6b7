import type { KubeObject } from "@keelson/apiserver";
import { listAt, numberAt, objectAt, stringAt, valueAt } from "@keelson/base";
import { type Condition, timestamp } from "@keelson/controller";
import { findCondition } from "@keelson/kube";
import { limitsOf, replicasOf } from "./plan.ts";

const defaultDeadlineSeconds = 600;

export interface DeploymentStatus {
  readonly status: Record<string, unknown>;
  /** Milliseconds until the rollout's progress deadline. `undefined` if no rollout is in progress. */
  readonly deadlineMs: number | undefined;
}

/** Computes the status of a Deployment from its ReplicaSets (apps/v1 DeploymentStatus). */
export function deploymentStatus(
  deployment: KubeObject,
  owned: readonly KubeObject[],
  current: KubeObject | undefined,
  now: Date,
): DeploymentStatus {
  const { replicas: wanted, maxUnavailable } = limitsOf(deployment);
  const total = (member: string) =>
    owned.reduce((sum, each) => sum + (numberAt(each, "status", member) ?? 0), 0);
  const available = total("availableReplicas");
  const updated = numberAt(current, "status", "replicas") ?? 0;
  const replicas = total("replicas");
  const unavailable = Math.max(0, owned.reduce((sum, each) => sum + replicasOf(each), 0) - available);
  const counts = {
    replicas,
    updatedReplicas: updated,
    readyReplicas: total("readyReplicas"),
    availableReplicas: available,
    unavailableReplicas: unavailable,
  };
  const complete = updated === wanted && replicas === wanted && available === wanted && current !== undefined;
  const progressed = Object.entries(counts).some(
    ([name, count]) =>
      name !== "unavailableReplicas" && count !== (numberAt(deployment, "status", name) ?? 0),
  );
  const availability: Condition =
    available >= wanted - maxUnavailable
      ? {
          type: "Available",
          status: "True",
          reason: "MinimumReplicasAvailable",
          message: "Deployment has minimum availability.",
        }
      : {
          type: "Available",
          status: "False",
          reason: "MinimumReplicasUnavailable",
          message: "Deployment does not have minimum availability.",
        };
  const { condition, deadlineMs } = progress(deployment, current, complete, progressed, now);
  return {
    status: {
      ...objectAt(deployment, "status"),
      observedGeneration: deployment.metadata.generation ?? 1,
      ...Object.fromEntries(
        Object.entries(counts).map(([name, count]) => [name, count === 0 ? undefined : count]),
      ),
      conditions: withTimes(deployment, [availability, condition], progressed, now),
    },
    deadlineMs,
  };
}

function progress(
  deployment: KubeObject,
  current: KubeObject | undefined,
  complete: boolean,
  progressed: boolean,
  now: Date,
): { readonly condition: Condition; readonly deadlineMs: number | undefined } {
  const name = current?.metadata.name ?? "";
  const before = findCondition(deployment, "Progressing");
  const make = (status: Condition["status"], reason: string, message: string): Condition => ({
    type: "Progressing",
    status,
    reason,
    message,
  });
  if (valueAt(deployment, "spec", "paused") === true) {
    return { condition: make("Unknown", "DeploymentPaused", "Deployment is paused"), deadlineMs: undefined };
  }
  if (complete) {
    const message = `ReplicaSet "${name}" has successfully progressed.`;
    return { condition: make("True", "NewReplicaSetAvailable", message), deadlineMs: undefined };
  }
  const seconds = numberAt(deployment, "spec", "progressDeadlineSeconds") ?? defaultDeadlineSeconds;
  const reason = stringAt(before, "reason");
  const begun = reason !== undefined && reason !== "NewReplicaSetAvailable" && reason !== "DeploymentPaused";
  const since = begun && !progressed ? Date.parse(stringAt(before, "lastUpdateTime") ?? "") : now.getTime();
  const leftMs = since + seconds * 1_000 - now.getTime();
  if ((reason === "ProgressDeadlineExceeded" && !progressed) || leftMs <= 0) {
    const message = `ReplicaSet "${name}" has timed out progressing.`;
    return { condition: make("False", "ProgressDeadlineExceeded", message), deadlineMs: undefined };
  }
  const condition =
    begun || progressed
      ? make("True", "ReplicaSetUpdated", `ReplicaSet "${name}" is progressing.`)
      : make("True", "NewReplicaSetCreated", `Created new replica set "${name}"`);
  return { condition, deadlineMs: leftMs };
}

/**
 * Adds `lastUpdateTime` to the conditions of a Deployment. Each progress of the rollout updates this time in the condition
 * Progressing.
 */
function withTimes(
  deployment: KubeObject,
  conditions: readonly Condition[],
  progressed: boolean,
  now: Date,
): readonly unknown[] {
  const others = listAt(deployment, "status", "conditions").filter(
    (each) => !conditions.some(({ type }) => type === stringAt(each, "type")),
  );
  return [
    ...conditions.map((condition) => {
      const before = findCondition(deployment, condition.type);
      const sameStatus = stringAt(before, "status") === condition.status;
      const same =
        sameStatus &&
        stringAt(before, "reason") === condition.reason &&
        stringAt(before, "message") === condition.message;
      const moved =
        condition.type === "Progressing" && progressed && condition.reason === "ReplicaSetUpdated";
      return {
        ...condition,
        lastUpdateTime:
          same && !moved ? (stringAt(before, "lastUpdateTime") ?? timestamp(now)) : timestamp(now),
        lastTransitionTime: sameStatus
          ? (stringAt(before, "lastTransitionTime") ?? timestamp(now))
          : timestamp(now),
      };
    }),
    ...others,
  ];
}
