import type { KubeObject } from "@keelson/apiserver";
import { at, textAt } from "../../runtime/fields.ts";
import { controlledBy } from "../../runtime/ownership.ts";
import { isActive, isReady } from "../pods/pod-state.ts";
import { fitsDaemon } from "../pods/scheduling.ts";
import { templateHash } from "../pods/template.ts";

export const revisionLabel = "controller-revision-hash";

export interface DaemonSetPlan {
  readonly hash: string;
  /** Names of nodes that lack their pod. */
  readonly create: readonly string[];
  /** Names of pods: on nodes where they do not belong, doubled, or of an older template. */
  readonly delete: readonly string[];
  readonly status: Readonly<Record<string, unknown>>;
}

/** What brings a DaemonSet to one pod of the present template on each node that its pods fit. */
export function planDaemonSet(
  daemonSet: KubeObject,
  pods: readonly KubeObject[],
  nodes: readonly KubeObject[],
): DaemonSetPlan {
  const hash = templateHash(daemonSet);
  const active = controlledBy(daemonSet, pods).filter(isActive);
  const eligible = nodes.filter((node) => fitsDaemon(at(daemonSet, "spec", "template", "spec"), node));
  const kept = eligible.flatMap(
    ({ metadata }) => active.find((pod) => nodeOf(pod) === metadata.name && hashOf(pod) === hash) ?? [],
  );
  const surplus = active.filter((pod) => !kept.includes(pod));
  const missing = eligible.filter(({ metadata }) => !active.some((pod) => nodeOf(pod) === metadata.name));
  const ready = kept.filter(isReady).length;
  return {
    hash,
    create: missing.map(({ metadata }) => metadata.name),
    delete: surplus.map(({ metadata }) => metadata.name),
    status: {
      currentNumberScheduled: kept.length,
      desiredNumberScheduled: eligible.length,
      numberMisscheduled: 0,
      numberReady: ready,
      numberAvailable: ready,
      numberUnavailable: eligible.length - ready,
      updatedNumberScheduled: kept.length,
      observedGeneration: daemonSet.metadata.generation ?? 1,
    },
  };
}

function nodeOf(pod: KubeObject): string | undefined {
  return textAt(pod, "spec", "nodeName");
}

function hashOf(pod: KubeObject): string | undefined {
  return pod.metadata.labels?.[revisionLabel];
}
