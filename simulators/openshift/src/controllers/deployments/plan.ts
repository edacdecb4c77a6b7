import { isDeepStrictEqual } from "node:util";
import type { KubeObject } from "@keelson/apiserver";
import { numberAt, objectAt, stringAt, valueAt } from "@keelson/base";
import { stringMapAt } from "../../base/fields.ts";
import { templateHash } from "../pods/template.ts";
import { countOf, rollingStep } from "./rolling.ts";

export const revisionAnnotation = "deployment.kubernetes.io/revision";
export const hashLabel = "pod-template-hash";

export interface DeploymentPlan {
  /** ReplicaSet to create for the current template. Undefined if it exists. */
  readonly create:
    | { readonly hash: string; readonly revision: number; readonly replicas: number }
    | undefined;
  readonly scale: readonly { readonly replicaSet: KubeObject; readonly replicas: number }[];
  /** ReplicaSets to delete because they exceed `spec.revisionHistoryLimit`. */
  readonly forget: readonly KubeObject[];
  /** Revision of the current template. */
  readonly revision: number;
  readonly current: KubeObject | undefined;
}

export interface Limits {
  readonly replicas: number;
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/** Plans the next step of a Deployment towards its template and `spec.replicas`. `owned` contains its ReplicaSets. */
export function planDeployment(deployment: KubeObject, owned: readonly KubeObject[]): DeploymentPlan {
  const { replicas, maxSurge, maxUnavailable } = limitsOf(deployment);
  const hash = templateHash(deployment);
  const current = currentOf(deployment, owned);
  const old = owned.filter((each) => each !== current).toSorted((a, b) => revisionOf(a) - revisionOf(b));
  const paused = valueAt(deployment, "spec", "paused") === true;
  const latest = Math.max(0, ...old.map(revisionOf));
  const revision = current ? Math.max(revisionOf(current), latest + 1) : latest + 1;
  const base = {
    forget: superseded(deployment, old),
    current,
    revision: paused && !current ? latest : revision,
  };
  if (paused) {
    // A paused Deployment still scales its newest ReplicaSet.
    const newest = current ?? old.at(-1);
    const others = owned.filter((each) => each !== newest).reduce((sum, each) => sum + replicasOf(each), 0);
    const wanted = Math.max(0, replicas - others);
    return {
      ...base,
      create: undefined,
      scale:
        newest && others < replicas && replicasOf(newest) !== wanted
          ? [{ replicaSet: newest, replicas: wanted }]
          : [],
    };
  }
  if (stringAt(deployment, "spec", "strategy", "type") === "Recreate") {
    const oldGone = old.every(
      (each) => (numberAt(each, "status", "replicas") ?? 0) === 0 && replicasOf(each) === 0,
    );
    const scale = old
      .filter((each) => replicasOf(each) > 0)
      .map((replicaSet) => ({ replicaSet, replicas: 0 }));
    if (current && oldGone && replicasOf(current) !== replicas) scale.push({ replicaSet: current, replicas });
    return { ...base, create: !current && oldGone ? { hash, revision, replicas } : undefined, scale };
  }
  const share = (each: KubeObject) => ({
    wanted: replicasOf(each),
    available: numberAt(each, "status", "availableReplicas") ?? 0,
  });
  const step = rollingStep({
    replicas,
    maxSurge,
    maxUnavailable,
    current: current ? share(current) : { wanted: 0, available: 0 },
    old: old.map(share),
  });
  const scale = old.flatMap((replicaSet, index) => {
    const wanted = step.old[index] ?? 0;
    return wanted === replicasOf(replicaSet) ? [] : [{ replicaSet, replicas: wanted }];
  });
  if (current && step.current !== replicasOf(current))
    scale.push({ replicaSet: current, replicas: step.current });
  return { ...base, create: current ? undefined : { hash, revision, replicas: step.current }, scale };
}

export function limitsOf(deployment: KubeObject): Limits {
  const replicas = numberAt(deployment, "spec", "replicas") ?? 1;
  const rolling = objectAt(deployment, "spec", "strategy", "rollingUpdate");
  if (stringAt(deployment, "spec", "strategy", "type") === "Recreate") {
    return { replicas, maxSurge: 0, maxUnavailable: replicas };
  }
  const maxSurge = countOf(rolling.maxSurge ?? "25%", replicas, true);
  const maxUnavailable = Math.min(replicas, countOf(rolling.maxUnavailable ?? "25%", replicas, false));
  return { replicas, maxSurge, maxUnavailable: maxSurge === 0 && maxUnavailable === 0 ? 1 : maxUnavailable };
}

/** Returns the ReplicaSet with the Deployment's current template. The comparison ignores the revision label. */
function currentOf(deployment: KubeObject, owned: readonly KubeObject[]): KubeObject | undefined {
  const template = plain(objectAt(deployment, "spec", "template"));
  const hash = templateHash(deployment);
  return (
    owned.find((each) => isDeepStrictEqual(plain(objectAt(each, "spec", "template")), template)) ??
    owned.find(({ metadata }) => metadata.labels?.[hashLabel] === hash)
  );
}

function plain(template: Record<string, unknown>): unknown {
  const { [hashLabel]: _, ...labels } = stringMapAt(template, "metadata", "labels");
  const metadata = objectAt(template, "metadata");
  return { ...template, metadata: { annotations: stringMapAt(metadata, "annotations"), labels } };
}

function superseded(deployment: KubeObject, old: readonly KubeObject[]): readonly KubeObject[] {
  const limit = numberAt(deployment, "spec", "revisionHistoryLimit") ?? 10;
  return old
    .filter((each) => replicasOf(each) === 0 && (numberAt(each, "status", "replicas") ?? 0) === 0)
    .toSorted((a, b) => revisionOf(b) - revisionOf(a))
    .slice(limit);
}

export function replicasOf(replicaSet: KubeObject): number {
  return numberAt(replicaSet, "spec", "replicas") ?? 1;
}

function revisionOf(replicaSet: KubeObject): number {
  return Number(stringMapAt(replicaSet, "metadata", "annotations")[revisionAnnotation] ?? 0);
}
