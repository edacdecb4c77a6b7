import type { NodeDisk } from "./node-disk.ts";

/** Options of a pruner pod. */
export interface PruneOptions {
  readonly maxEligibleRevision: number;
  readonly protectedRevisions: readonly number[];
  readonly resourceDir: string;
  /** `kube-apiserver-pod`. */
  readonly staticPodName: string;
}

/**
 * Deletes revisions from a node's disk if they are eligible and not protected. Returns the deleted directories. If the revision
 * in a directory name is invalid, nothing is deleted.
 * @throws Error naming such a directory
 */
export async function pruneRevisions(options: PruneOptions, disk: NodeDisk): Promise<readonly string[]> {
  const { maxEligibleRevision, protectedRevisions, resourceDir, staticPodName } = options;
  const prefix = `${staticPodName}-`;
  const names = (await disk.directories(resourceDir)).filter((name) => name.startsWith(prefix));
  const revisions = names.map((name) => {
    const suffix = name.slice(prefix.length);
    if (!/^\d{1,9}$/.test(suffix))
      throw new Error(`${resourceDir}/${name}: ${JSON.stringify(suffix)} is not a revision`);
    return { name, revision: Number(suffix) };
  });
  const pruned = revisions
    .filter(({ revision }) => revision <= maxEligibleRevision && !protectedRevisions.includes(revision))
    .toSorted((a, b) => a.revision - b.revision)
    .map(({ name }) => name);
  for (const name of pruned) await disk.remove(`${resourceDir}/${name}`);
  return pruned;
}
