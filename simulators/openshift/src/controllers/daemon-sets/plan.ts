import type { KubeObject } from "@keelson/apiserver";
import { numberAt, objectAt, stringAt, valueAt } from "@keelson/base";
import { countOf } from "../deployments/rolling.ts";
import { isActive, isAvailable, isReady } from "../pods/pod-state.ts";
import { templateHash } from "../pods/template.ts";
import { fitsDaemon } from "../scheduler/choose-node.ts";

export const revisionLabel = "controller-revision-hash";

export interface DaemonSetPlan {
  readonly hash: string;
  /** Names of nodes that need a new pod. */
  readonly create: readonly string[];
  /** Pods to delete: misplaced, duplicate, terminated or outdated pods. */
  readonly delete: readonly KubeObject[];
  readonly status: Readonly<Record<string, unknown>>;
}

/** Plans one pod with the current template on each matching node. */
export function planDaemonSet(
  daemonSet: KubeObject,
  owned: readonly KubeObject[],
  nodes: readonly KubeObject[],
  now: Date,
): DaemonSetPlan {
  const hash = templateHash(daemonSet);
  const spec = valueAt(daemonSet, "spec", "template", "spec");
  const minReadySeconds = numberAt(daemonSet, "spec", "minReadySeconds") ?? 0;
  const eligible = nodes.filter((node) => fitsDaemon(spec, node)).map(({ metadata }) => metadata.name);
  const eligibleNodes = new Set<string | undefined>(eligible);
  const active = owned.filter(isActive);
  const ended = owned.filter((pod) =>
    ["Succeeded", "Failed"].includes(stringAt(pod, "status", "phase") ?? ""),
  );
  const activeByNode = Map.groupBy(active, nodeOf);
  const kept = eligible.flatMap((name) => {
    const here = activeByNode.get(name) ?? [];
    return here.find((pod) => hashOf(pod) === hash) ?? here[0] ?? [];
  });
  const keptPods = new Set(kept);
  const surplus = active.filter((pod) => !keptPods.has(pod));
  const waiting = new Set(owned.map(nodeOf));
  const missing = eligible.filter((name) => !waiting.has(name));
  const available = kept.filter((pod) => isAvailable(pod, minReadySeconds, now));
  const outdated = kept.filter((pod) => hashOf(pod) !== hash);
  return {
    hash,
    create: missing,
    delete: [
      ...surplus,
      ...ended.filter((pod) => pod.metadata.deletionTimestamp === undefined),
      ...nextToUpdate(daemonSet, outdated, available, eligible.length),
    ],
    status: {
      ...objectAt(daemonSet, "status"),
      currentNumberScheduled: kept.length,
      desiredNumberScheduled: eligible.length,
      numberMisscheduled: surplus.filter((pod) => !eligibleNodes.has(nodeOf(pod))).length,
      numberReady: kept.filter(isReady).length,
      numberAvailable: available.length === 0 ? undefined : available.length,
      numberUnavailable:
        eligible.length === available.length ? undefined : eligible.length - available.length,
      updatedNumberScheduled: kept.length === outdated.length ? undefined : kept.length - outdated.length,
      observedGeneration: daemonSet.metadata.generation ?? 1,
    },
  };
}

/**
 * Selects outdated pods for replacement. Unavailable pods are replaced immediately. Available pods are replaced within the limit
 * `maxUnavailable`.
 */
function nextToUpdate(
  daemonSet: KubeObject,
  outdated: readonly KubeObject[],
  available: readonly KubeObject[],
  wanted: number,
): readonly KubeObject[] {
  if (stringAt(daemonSet, "spec", "updateStrategy", "type") === "OnDelete") return [];
  const most = countOf(
    valueAt(daemonSet, "spec", "updateStrategy", "rollingUpdate", "maxUnavailable") ?? 1,
    wanted,
    true,
  );
  const availablePods = new Set(available);
  const broken = outdated.filter((pod) => !availablePods.has(pod));
  const healthy = outdated.filter((pod) => availablePods.has(pod));
  const room = Math.max(0, Math.max(1, most) - (wanted - available.length));
  return [...broken, ...healthy.slice(0, room)];
}

function nodeOf(pod: KubeObject): string | undefined {
  return stringAt(pod, "spec", "nodeName");
}

function hashOf(pod: KubeObject): string | undefined {
  return pod.metadata.labels?.[revisionLabel];
}
