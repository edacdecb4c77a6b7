import { numberAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import type { NodeStatus } from "../static-pod/node-status.ts";

export interface RevisionLimits {
  /** Number of failed revisions to keep. -1: all. */
  readonly failed: number;
  /** Number of succeeded revisions to keep. -1: all. */
  readonly succeeded: number;
}

const defaultLimit = 5;

export function revisionLimits(configuration: KubeObject): RevisionLimits {
  const limit = (member: string) => numberAt(configuration, "spec", member) || defaultLimit;
  return { failed: limit("failedRevisionLimit"), succeeded: limit("succeededRevisionLimit") };
}

/**
 * Returns the revisions up to `latest` that are kept, in order. Undefined if all revisions are kept. Revisions after `latest` are
 * always kept.
 */
export function revisionsToKeep(
  nodes: readonly NodeStatus[],
  latest: number,
  { failed, succeeded }: RevisionLimits,
): readonly number[] | undefined {
  const mayFail = nodes.some(({ currentRevision }) => currentRevision < latest);
  if (succeeded < 0 || (mayFail && failed < 0)) return undefined;
  const keep = new Set<number>();
  const keepBelow = (revision: number, count: number) => {
    for (let each = revision; each > 0 && each > revision - count; each--) keep.add(each);
  };
  // A revision in progress may still fail, so the higher of both limits applies to it.
  const most = Math.max(failed, succeeded);
  keepBelow(latest, mayFail ? most : 1);
  for (const { currentRevision, targetRevision, lastFailedRevision } of nodes) {
    keepBelow(currentRevision, succeeded);
    keepBelow(targetRevision, most);
    keepBelow(lastFailedRevision, failed < 0 ? lastFailedRevision : failed);
  }
  const kept = [...keep].sort((a, b) => a - b);
  return kept[0] === 1 && kept.at(-1) === latest ? undefined : kept;
}
