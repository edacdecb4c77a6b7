import type { PruneFlags } from "./flags.ts";
import type { NodeDisk } from "./node-disk.ts";

/** Deletes the directories of old unprotected revisions. Returns their names. */
export async function prune(flags: PruneFlags, disk: NodeDisk): Promise<readonly string[]> {
  const { resourceDir, staticPodName, maxEligibleRevision, protectedRevisions } = flags;
  const prefix = `${staticPodName}-`;
  const old = (await disk.directories(resourceDir)).filter((name) => {
    const revision = name.startsWith(prefix) ? name.slice(prefix.length) : "";
    return (
      /^\d{1,9}$/.test(revision) &&
      Number(revision) <= maxEligibleRevision &&
      !protectedRevisions.has(Number(revision))
    );
  });
  for (const name of old) await disk.remove(`${resourceDir}/${name}`);
  return old;
}
