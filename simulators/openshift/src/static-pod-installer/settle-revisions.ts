import type { Clock } from "@keelson/base";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { type KubeClient, type KubeObject, resources } from "@keelson/kube";
import { errors } from "../base/errors.ts";

export interface InstallerPlace {
  readonly namespace: string;
  readonly node: string;
  readonly revision: number;
}

const pollMs = 1_000;

/**
 * Waits until all installer pods of older revisions on the node have finished, because these pods write the same manifest.
 * @throws NewerRevisionInstalls if a newer revision is being installed
 */
export async function settleRevisions(
  kube: KubeClient,
  place: InstallerPlace,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const { items } = await kube.list(
      resources.pods,
      { namespace: place.namespace, labelSelector: "app=installer" },
      signal,
    );
    const others = items
      .filter((pod) => stringAt(pod, "spec", "nodeName") === place.node)
      .flatMap((pod) => {
        const revision = revisionOf(pod);
        return revision === undefined || revision === place.revision ? [] : [{ pod, revision }];
      });
    const newest = Math.max(...others.map(({ revision }) => revision), place.revision);
    if (newest > place.revision)
      throw errors.NewerRevisionInstalls(
        `more recent revision present on node: thisRevision=${place.revision}, moreRecentRevision=${newest}`,
      );
    if (others.every(({ pod }) => hasEnded(pod))) return;
    await clock.sleep(pollMs, signal);
  }
}

/** Returns the revision in a pod name such as `installer-7-node` or `installer-7-retry-1-node`. Undefined for other names. */
export function revisionOf({ metadata }: KubeObject): number | undefined {
  const found = /^installer-(\d{1,9})-/.exec(metadata.name)?.[1];
  return found === undefined ? undefined : Number(found);
}

function hasEnded(pod: KubeObject): boolean {
  const containers = listAt(pod, "status", "containerStatuses");
  return (
    containers.length > 0 && containers.every((each) => valueAt(each, "state", "terminated") !== undefined)
  );
}
