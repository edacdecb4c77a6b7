import type { KubeObject } from "@keelson/kube";
import type { NodeStatus } from "../static-pod/node-status.ts";
import { readySince, revisionOf } from "../static-pod/static-pod.ts";

export interface NodeChoice {
  readonly index: number;
  /** Reason for the Event about the node's new target revision. */
  readonly reason: string;
}

/**
 * Chooses the first node of a rollout. This is the least healthy node, so that a failing pod is replaced before a healthy one.
 * `nodes` must not be empty.
 */
export function chooseStartNode(
  nodes: readonly NodeStatus[],
  operandOf: (node: string) => KubeObject | undefined,
): NodeChoice {
  const changing = nodes.findIndex(({ targetRevision }) => targetRevision !== 0);
  const inTransition = nodes[changing];
  if (inTransition)
    return choice(
      changing,
      `node ${inTransition.nodeName} is progressing towards ${inTransition.targetRevision}`,
    );

  const newest = Math.max(...nodes.map(({ currentRevision }) => currentRevision));
  const failing = nodes.findIndex(({ lastFailedRevision }) => lastFailedRevision > newest);
  const failed = nodes[failing];
  if (failed) return choice(failing, `node ${failed.nodeName} is progressing with failed revisions`);

  const pods = nodes.map(({ nodeName }) => {
    const pod = operandOf(nodeName);
    return { pod, revision: revisionOf(pod), isReady: readySince(pod) !== undefined };
  });
  for (const [index, { pod, revision }] of pods.entries()) {
    const name = nodes[index]?.nodeName;
    if (!pod) return choice(index, `node ${name} static pod not found`);
    if (revision === undefined) {
      const label = JSON.stringify(pod.metadata.labels?.revision ?? "");
      return choice(index, `node ${name} has an invalid current revision ${label}`);
    }
  }
  const revisionAt = (index: number) => pods[index]?.revision ?? 0;
  const currentAt = (index: number) => nodes[index]?.currentRevision ?? 0;
  const name = (index: number) => nodes[index]?.nodeName;

  const notReady = lowest(
    pods.keys().filter((index) => !pods[index]?.isReady),
    revisionAt,
  );
  if (notReady !== undefined)
    return choice(
      notReady,
      `node ${name(notReady)} with revision ${revisionAt(notReady)} is the oldest not ready`,
    );

  const unexpected = lowest(
    pods.keys().filter((index) => revisionAt(index) !== currentAt(index)),
    revisionAt,
  );
  if (unexpected !== undefined)
    return choice(
      unexpected,
      `node ${name(unexpected)} with revision ${revisionAt(unexpected)} is the oldest not matching its expected revision ${currentAt(unexpected)}`,
    );

  const oldest = lowest(nodes.keys(), currentAt) ?? 0;
  return choice(oldest, `node ${name(oldest)} with revision ${currentAt(oldest)} is the oldest`);
}

function choice(index: number, reason: string): NodeChoice {
  return { index, reason };
}

/** Returns the first index with the lowest rank. */
function lowest(indices: Iterable<number>, rank: (index: number) => number): number | undefined {
  let found: number | undefined;
  for (const index of indices) if (found === undefined || rank(index) < rank(found)) found = index;
  return found;
}
