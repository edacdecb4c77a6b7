import type { ClusterClient, KubeObject } from "@keelson/apiserver";
import { listAt, objectAt, stringAt } from "@keelson/base";
import { type Controller, done, type Result, watchFor } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { desiredVersionOf } from "../../base/desired-version.ts";
import { ensureObject, writeStatus } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import { featureSetAnnotation } from "../../release/crd-manifest.ts";
import { featureGatesOf } from "../../release/feature-gates.ts";
import { type FeatureSet, parseFeatureSet } from "../../release/feature-set.ts";
import { releaseCrds } from "../../release/release-crds.ts";
import type { Cluster } from "../../runtime/cluster.ts";

const cluster = { name: "cluster" };

/**
 * Applies the cluster's feature set. Creates the CRDs of the feature set and publishes its feature gates for the current version
 * and all previous versions.
 */
export const featureGates: Controller<Cluster> = {
  name: "feature-gates",
  initialKeys: [cluster],
  watches: [watchFor(resources.featureGates, cluster), watchFor(resources.clusterVersions, cluster)],
  reconcile: reconcileFeatureGates,
};

async function reconcileFeatureGates(_key: ObjectKey, { client, settings }: Cluster): Promise<Result> {
  const featureGate = await client.find(resources.featureGates, cluster);
  if (!featureGate) return done;
  await applyDefinitions(client, parseFeatureSet(stringAt(featureGate, "spec", "featureSet")));
  const clusterVersion = await client.find(resources.clusterVersions, { name: "version" });
  const versions = versionsOf(clusterVersion, settings.openShiftVersion);
  await writeStatus(client, resources.featureGates, featureGate, {
    ...objectAt(featureGate, "status"),
    featureGates: featureGatesOf(featureGate, versions),
  });
  return done;
}

/** Creates and updates the CRDs of a feature set. As on real clusters, CRDs of other feature sets remain. */
async function applyDefinitions(client: ClusterClient, featureSet: FeatureSet): Promise<void> {
  for (const wanted of releaseCrds(featureSet)) {
    const sets = wanted.metadata.annotations?.[featureSetAnnotation];
    if (sets === undefined) continue;
    const present = await client.find(resources.customResourceDefinitions, wanted.metadata);
    if (!present) await ensureObject(client, resources.customResourceDefinitions, wanted);
    else if (present.metadata.annotations?.[featureSetAnnotation] !== sets)
      await client.update(resources.customResourceDefinitions, {
        ...present,
        metadata: {
          ...present.metadata,
          annotations: { ...present.metadata.annotations, ...wanted.metadata.annotations },
        },
        spec: wanted.spec,
      });
  }
}

/** Returns the target version and the versions in the history, newest first. */
function versionsOf(clusterVersion: KubeObject | undefined, installed: string): readonly string[] {
  const desired = desiredVersionOf(clusterVersion) ?? installed;
  const past = listAt(clusterVersion, "status", "history").flatMap(
    (entry) => stringAt(entry, "version") ?? [],
  );
  return [...new Set([desired, ...past])];
}
