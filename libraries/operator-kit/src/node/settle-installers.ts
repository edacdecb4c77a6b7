import type { Clock } from "@keelson/base";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { type KubeApi, type KubeObject, resources } from "@keelson/kube";

export interface InstallerPlace {
  readonly namespace: string;
  readonly node: string;
  readonly revision: number;
}

const pollMs = 10_000;
const patienceMs = 60_000;

/**
 * Waits up to a minute until the node's installer pods of older revisions have finished. The caller must stop after an error.
 * @throws Error if a newer revision is being installed, or if the installer pod that calls this function is being deleted
 */
export async function settleInstallers(
  api: Pick<KubeApi, "list">,
  place: InstallerPlace,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const others = await olderInstallers(api, place, signal);
    if (others.length === 0) return;
    if (waitedMs >= patienceMs)
      throw new Error(`installers of older revisions still run on ${place.node}: ${others.join(", ")}`);
    await clock.sleep(pollMs, signal);
  }
}

/** Returns the names of running installer pods of older revisions on the node. */
async function olderInstallers(
  api: Pick<KubeApi, "list">,
  { namespace, node, revision }: InstallerPlace,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { items } = await api.list(resources.pods, { namespace, labelSelector: "app=installer" }, signal);
  const installers = items
    .filter((pod) => stringAt(pod, "spec", "nodeName") === node)
    .flatMap((pod) => {
      const installs = installedRevision(pod);
      return installs === undefined ? [] : [{ pod, installs }];
    });
  if (installers.length === 0) throw new Error("no installer pods found");
  const newest = Math.max(...installers.map(({ installs }) => installs));
  if (newest > revision)
    throw new Error(
      `more recent revision present on node: thisRevision=${revision}, moreRecentRevision=${newest}`,
    );
  return installers
    .filter(({ pod, installs }) => installs < revision && !hasEnded(pod))
    .map(({ pod }) => pod.metadata.name);
}

/** Returns the revision in an installer pod's name. Names are `installer-7-node` or, for a retry, `installer-7-retry-1-node`. */
function installedRevision({ metadata }: KubeObject): number | undefined {
  const found = /^installer-(\d{1,9})-/.exec(metadata.name)?.[1];
  return found === undefined ? undefined : Number(found);
}

function hasEnded(pod: KubeObject): boolean {
  const containers = listAt(pod, "status", "containerStatuses");
  return (
    containers.length > 0 && containers.every((each) => valueAt(each, "state", "terminated") !== undefined)
  );
}
