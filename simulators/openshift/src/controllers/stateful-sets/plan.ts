import type { KubeObject } from "@keelson/apiserver";
import { numberAt, objectAt, stringAt, valueAt } from "@keelson/base";
import { isActive, isAvailable, isReady } from "../pods/pod-state.ts";
import { burst } from "../pods/slow-start.ts";
import { templateHash } from "../pods/template.ts";

export const revisionLabel = "controller-revision-hash";

export interface StatefulSetPlan {
  readonly hash: string;
  /** Ordinals of the pods to create. */
  readonly create: readonly number[];
  readonly delete: readonly KubeObject[];
  readonly status: Readonly<Record<string, unknown>>;
}

/**
 * Plans the next step of a StatefulSet. `owned` contains its pods. Each pod is created after its predecessor has become
 * available. Pods are deleted and updated in reverse order. With the policy `Parallel`, no pod waits for a different pod.
 */
export function planStatefulSet(set: KubeObject, owned: readonly KubeObject[], now: Date): StatefulSetPlan {
  const hash = templateHash(set);
  const replicas = numberAt(set, "spec", "replicas") ?? 1;
  const first = numberAt(set, "spec", "ordinals", "start") ?? 0;
  const parallel = stringAt(set, "spec", "podManagementPolicy") === "Parallel";
  const minReadySeconds = numberAt(set, "spec", "minReadySeconds") ?? 0;
  const byOrdinal = new Map(owned.map((pod) => [ordinalOf(set, pod), pod]));
  const healthy = (pod: KubeObject | undefined) =>
    pod !== undefined && isActive(pod) && isAvailable(pod, minReadySeconds, now);
  // `replicas` can be huge, so no list of all ordinals is made.
  const isWanted = (pod: KubeObject) => {
    const ordinal = ordinalOf(set, pod);
    return ordinal >= first && ordinal < first + replicas;
  };
  const firstOf = (count: number, matches: (ordinal: number) => boolean) => {
    const found: number[] = [];
    for (let ordinal = first; ordinal < first + replicas && found.length < count; ordinal++)
      if (matches(ordinal)) found.push(ordinal);
    return found;
  };
  const surplus = owned
    .filter((pod) => !isWanted(pod))
    .toSorted((a, b) => ordinalOf(set, b) - ordinalOf(set, a));
  const ended = owned.filter(
    (pod) =>
      ["Failed", "Succeeded"].includes(stringAt(pod, "status", "phase") ?? "") && !surplus.includes(pod),
  );
  const [waiting] = firstOf(1, (ordinal) => !healthy(byOrdinal.get(ordinal)));
  const isMissing = (ordinal: number) => !byOrdinal.has(ordinal);
  const create = parallel
    ? firstOf(burst, isMissing)
    : waiting !== undefined && isMissing(waiting)
      ? [waiting]
      : [];
  const removable = surplus.filter((pod) => pod.metadata.deletionTimestamp === undefined);
  // A StatefulSet is scaled down or updated only if all remaining pods are healthy.
  const settled = waiting === undefined;
  const shrink = parallel
    ? removable
    : settled && removable.length === surplus.length
      ? removable.slice(0, 1)
      : [];
  const current = owned.filter(isWanted);
  const outdated = current
    .filter((pod) => pod.metadata.labels?.[revisionLabel] !== hash)
    .toSorted((a, b) => ordinalOf(set, b) - ordinalOf(set, a));
  const update = surplus.length > 0 ? [] : nextToUpdate(set, outdated, current, first, healthy);
  // Excludes terminating pods from all counts. The API server rejects counts above `replicas`, and `replicas` does not include
  // terminating pods.
  const active = current.filter(isActive);
  const ready = active.filter(isReady).length;
  const former = active.filter((pod) => outdated.includes(pod)).length;
  const updated = active.length - former;
  const before = stringAt(set, "status", "currentRevision");
  const updateRevision = `${set.metadata.name}-${hash}`;
  const complete = outdated.length === 0 && ready === replicas && current.length === replicas;
  const currentRevision = complete || before === undefined ? updateRevision : before;
  return {
    hash,
    create,
    delete: [...ended.filter((pod) => pod.metadata.deletionTimestamp === undefined), ...shrink, ...update],
    status: {
      ...objectAt(set, "status"),
      observedGeneration: set.metadata.generation ?? 1,
      replicas: owned.filter(isActive).length,
      readyReplicas: ready === 0 ? undefined : ready,
      availableReplicas: current.filter(healthy).length,
      currentReplicas: (currentRevision === updateRevision ? updated : former) || undefined,
      updatedReplicas: updated || undefined,
      currentRevision,
      updateRevision,
      collisionCount: 0,
    },
  };
}

function nextToUpdate(
  set: KubeObject,
  outdated: readonly KubeObject[],
  current: readonly KubeObject[],
  first: number,
  healthy: (pod: KubeObject) => boolean,
): readonly KubeObject[] {
  if (stringAt(set, "spec", "updateStrategy", "type") === "OnDelete") return [];
  const partition = numberAt(set, "spec", "updateStrategy", "rollingUpdate", "partition") ?? 0;
  const [next] = outdated.filter((pod) => ordinalOf(set, pod) - first >= partition);
  if (next === undefined || next.metadata.deletionTimestamp !== undefined) return [];
  const others = current.filter((pod) => pod !== next);
  // Outdated unhealthy pods must not block the update of other pods.
  return others.every((pod) => healthy(pod) || outdated.includes(pod)) ? [next] : [];
}

function ordinalOf(set: KubeObject, { metadata }: KubeObject): number {
  const text = metadata.name.startsWith(`${set.metadata.name}-`)
    ? metadata.name.slice(set.metadata.name.length + 1)
    : "";
  return /^\d+$/.test(text) ? Number(text) : -1;
}

/** Returns the volume claims of a pod from the set's claim templates. */
export function claimsOf(set: KubeObject, ordinal: number): readonly KubeObject[] {
  const templates = valueAt(set, "spec", "volumeClaimTemplates");
  return (Array.isArray(templates) ? templates : []).map((template: unknown) => ({
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      ...(set.metadata.namespace ? { namespace: set.metadata.namespace } : {}),
      name: `${stringAt(template, "metadata", "name")}-${set.metadata.name}-${ordinal}`,
      labels: {
        ...recordOfText(template, "labels"),
        ...recordOfText(valueAt(set, "spec", "selector"), "matchLabels", true),
      },
    },
    spec: objectAt(template, "spec"),
  }));
}

function recordOfText(value: unknown, member: string, direct = false): Record<string, string> {
  const found = direct ? objectAt(value, member) : objectAt(value, "metadata", member);
  return Object.fromEntries(Object.entries(found).map(([name, each]) => [name, String(each)]));
}
