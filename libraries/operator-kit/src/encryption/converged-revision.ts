import { stringAt } from "@keelson/base";
import { conditionStatus, type KubeObject } from "@keelson/kube";

/**
 * Returns the revision that the API servers of all masters run. Undefined if their revisions differ. A failed pod is ignored if
 * its node also has a ready pod.
 * @throws Error for pods in an unknown phase
 */
export function convergedRevision(
  pods: readonly KubeObject[],
  masters: readonly string[],
): string | undefined {
  const good: KubeObject[] = [];
  const failed: KubeObject[] = [];
  for (const pod of pods) {
    const phase = stringAt(pod, "status", "phase") ?? "Pending";
    if (phase === "Unknown") throw new Error(`api server pod ${pod.metadata.name} in unknown phase`);
    if (phase === "Failed" || phase === "Succeeded") failed.push(pod);
    else if (phase !== "Running" || conditionStatus(pod, "Ready") !== "True") return undefined;
    else good.push(pod);
  }
  const revisions = new Set(good.map(revisionOf));
  const [revision = ""] = revisions;
  const nodes = new Set(good.map((pod) => stringAt(pod, "spec", "nodeName")));
  if (masters.length === 0 || revisions.size !== 1 || !masters.every((each) => nodes.has(each)))
    return undefined;
  const newer = failed.find((pod) => Number(revisionOf(pod)) > Number(revision));
  if (newer)
    throw new Error(
      `api server has failed revision ${revisionOf(newer)} which is newer than running revision ${revision}`,
    );
  return revision === "" ? "0" : revision;
}

function revisionOf({ metadata }: KubeObject): string {
  return metadata.labels?.revision ?? "";
}
