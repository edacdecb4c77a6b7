import type { KubeObject } from "@keelson/apiserver";
import { type Condition, withConditions } from "../../runtime/conditions.ts";
import { at, numberAt, textAt, textsAt } from "../../runtime/fields.ts";
import { controlledBy } from "../../runtime/ownership.ts";
import { templateHash } from "../pods/template.ts";

export const revisionAnnotation = "deployment.kubernetes.io/revision";
export const hashLabel = "pod-template-hash";

export interface DeploymentPlan {
  /** Create the ReplicaSet of the present template. */
  readonly create:
    | { readonly hash: string; readonly revision: number; readonly replicas: number }
    | undefined;
  readonly scale: readonly { readonly replicaSet: KubeObject; readonly replicas: number }[];
  /** Superseded ReplicaSets beyond `spec.revisionHistoryLimit`. */
  readonly forget: readonly KubeObject[];
  /** Of the present template, for the Deployment's own annotation. */
  readonly revision: number;
  readonly status: Readonly<Record<string, unknown>>;
}

/**
 * What brings a Deployment to its template and `spec.replicas`. A rolling update brings up all new pods before
 * it takes down the old ones (as if maxSurge were 100 %); Recreate takes the old ones down first.
 */
export function planDeployment(
  deployment: KubeObject,
  candidates: readonly KubeObject[],
  now: Date,
): DeploymentPlan {
  const owned = controlledBy(deployment, candidates);
  const wanted = numberAt(deployment, "spec", "replicas") ?? 1;
  const hash = templateHash(deployment);
  const current = owned.find(({ metadata }) => metadata.labels?.[hashLabel] === hash);
  const old = owned.filter((each) => each !== current);
  const recreate = textAt(deployment, "spec", "strategy", "type") === "Recreate";
  const paused = at(deployment, "spec", "paused") === true;
  const oldGone = old.every((each) => (numberAt(each, "status", "replicas") ?? 0) === 0);
  const latest = Math.max(0, ...owned.map(revisionOf));
  const available = numberAt(current, "status", "availableReplicas") ?? 0;
  const retired = recreate || available >= wanted ? old.filter((each) => replicasOf(each) > 0) : [];
  const rescaled =
    current && replicasOf(current) !== wanted ? [{ replicaSet: current, replicas: wanted }] : [];
  return {
    create:
      current || paused || (recreate && !oldGone)
        ? undefined
        : { hash, revision: latest + 1, replicas: wanted },
    scale: [...rescaled, ...(paused ? [] : retired.map((replicaSet) => ({ replicaSet, replicas: 0 })))],
    forget: superseded(deployment, old),
    revision: current ? revisionOf(current) : latest + (paused ? 0 : 1),
    status: statusOf(deployment, owned, current, wanted, now),
  };
}

function superseded(deployment: KubeObject, old: readonly KubeObject[]): readonly KubeObject[] {
  const limit = numberAt(deployment, "spec", "revisionHistoryLimit") ?? 10;
  return old
    .filter((each) => replicasOf(each) === 0 && (numberAt(each, "status", "replicas") ?? 0) === 0)
    .toSorted((a, b) => revisionOf(b) - revisionOf(a))
    .slice(limit);
}

function statusOf(
  deployment: KubeObject,
  owned: readonly KubeObject[],
  current: KubeObject | undefined,
  wanted: number,
  now: Date,
): Record<string, unknown> {
  const total = (member: string) =>
    owned.reduce((sum, each) => sum + (numberAt(each, "status", member) ?? 0), 0);
  const available = total("availableReplicas");
  const updated = numberAt(current, "status", "replicas") ?? 0;
  const complete =
    updated === wanted &&
    total("replicas") === wanted &&
    (numberAt(current, "status", "availableReplicas") ?? 0) === wanted;
  const conditions: readonly Condition[] = [
    available >= wanted
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
        },
    complete
      ? {
          type: "Progressing",
          status: "True",
          reason: "NewReplicaSetAvailable",
          message: `ReplicaSet "${current?.metadata.name}" has successfully progressed.`,
        }
      : {
          type: "Progressing",
          status: "True",
          reason: "ReplicaSetUpdated",
          message: `ReplicaSet "${current?.metadata.name ?? ""}" is progressing.`,
        },
  ];
  return {
    observedGeneration: deployment.metadata.generation ?? 1,
    replicas: total("replicas"),
    updatedReplicas: updated,
    readyReplicas: total("readyReplicas"),
    availableReplicas: available,
    ...(available < wanted ? { unavailableReplicas: wanted - available } : {}),
    conditions: withConditions(deployment, conditions, now),
  };
}

function replicasOf(replicaSet: KubeObject): number {
  return numberAt(replicaSet, "spec", "replicas") ?? 1;
}

function revisionOf(replicaSet: KubeObject): number {
  return Number(textsAt(replicaSet, "metadata", "annotations")[revisionAnnotation] ?? 0);
}
