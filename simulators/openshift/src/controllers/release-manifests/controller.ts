import type { KubeObject } from "@keelson/apiserver";
import { listAt, stringAt } from "@keelson/base";
import { type Controller, done, type Result, watchFor } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { resourceOf } from "../../apis/served/resource-names.ts";
import { desiredVersionOf } from "../../base/desired-version.ts";
import { resources } from "../../base/resources.ts";
import { manifestFailure, type PayloadFailure } from "../../payload/payload-failure.ts";
import { componentOf, describeManifest, type ReleaseManifest } from "../../payload/release-manifest.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { installedAt } from "../../updates/update-history.ts";
import { applyManifest } from "./apply-manifest.ts";
import { isIncluded } from "./included.ts";
import { watchManifests } from "./watch-manifests.ts";

const payload: ObjectKey = { name: "payload" };
/** Resync interval in milliseconds. The real operator reapplies the payload every three to four minutes. */
const resyncMs = 200_000;
const retryMs = 5_000;

/**
 * Applies the release manifests and keeps their objects up to date, like the cluster version operator. Starts after the
 * installation because the payload's operators would slow down the installation.
 */
export const releaseManifests: Controller<Cluster> = {
  name: "release-manifests",
  initialKeys: [payload],
  resyncMs,
  watches: [watchFor(resources.clusterVersions, payload), watchManifests(payload)],
  reconcile: reconcileManifests,
};

async function reconcileManifests(_key: ObjectKey, cluster: Cluster): Promise<Result> {
  const { client, clock, timings } = cluster;
  const clusterVersion = await client.find(resources.clusterVersions, { name: "version" });
  const installed = clusterVersion && installedAt(clusterVersion);
  if (!installed) return done;
  const version = desiredVersionOf(clusterVersion) ?? "";
  const manifests = cluster.payload.manifests(version);
  if (manifests.length === 0) return done;
  const waitMs = installed.getTime() + timings.payloadDelayMs - clock.now().getTime();
  if (waitMs > 0) return { requeueAfterMs: waitMs };
  const observed = {
    enabledCapabilities: listAt(clusterVersion, "status", "capabilities", "enabledCapabilities").map(String),
    featureSet: await featureSetOf(cluster),
    overrides: listAt(clusterVersion, "spec", "overrides"),
  };
  const included = manifests.filter(({ object }) => isIncluded(object, observed));
  const failures = await applyAll(cluster, included, clusterVersion);
  cluster.payload.report(included, failures);
  return failures.length > 0 ? { requeueAfterMs: retryMs } : done;
}

/** Applies all manifests. A failed manifest blocks only the remaining manifests of its component. */
async function applyAll(
  { client, logger }: Cluster,
  manifests: readonly ReleaseManifest[],
  clusterVersion: KubeObject,
): Promise<readonly PayloadFailure[]> {
  const crds = manifests.map(({ object }) => object);
  const failed = new Set<string>();
  const failures: PayloadFailure[] = [];
  for (const [index, manifest] of manifests.entries()) {
    const component = componentOf(manifest.file);
    if (failed.has(component)) continue;
    try {
      await applyManifest(client, resourceOf(manifest.object, crds), manifest.object, clusterVersion);
    } catch (error) {
      const task = `${describeManifest(manifest)} (${index + 1} of ${manifests.length})`;
      logger.warn(
        { file: manifest.file, task, error: String(error) },
        "a release manifest cannot be applied",
      );
      failed.add(component);
      failures.push(manifestFailure(task, error));
    }
  }
  return failures;
}

async function featureSetOf({ client }: Cluster): Promise<string> {
  const gates = await client.find(resources.featureGates, { name: "cluster" });
  return stringAt(gates, "spec", "featureSet") || "Default";
}
