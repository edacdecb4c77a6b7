import type { KubeObject } from "@keelson/apiserver";
import { stringAt } from "@keelson/base";
import { type Controller, done, type Result, watchFor } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { desiredVersionOf } from "../../base/desired-version.ts";
import { writeStatus } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { watchFaults, watchPayload, watchUpdates } from "../../runtime/cluster-watches.ts";
import { kubernetesVersionOf } from "../../settings/cluster-settings.ts";
import { parseVersion } from "../../updates/update-graph.ts";
import { operatorVersion } from "../cluster-operators/plan.ts";
import { planClusterVersion } from "./plan.ts";

const version: ObjectKey = { name: "version" };

/** Simulates the cluster version operator: selects the target version and reports the progress of the cluster operators. */
export const clusterVersion: Controller<Cluster> = {
  name: "cluster-version",
  watches: [
    watchFor(resources.clusterVersions, version),
    watchFor(resources.clusterOperators, version),
    watchFaults(({ kind }) => (kind === "release-rejected" ? [version] : [])),
    watchUpdates(version),
    watchPayload(version),
  ],
  reconcile: reconcileClusterVersion,
};

async function reconcileClusterVersion(key: ObjectKey, cluster: Cluster): Promise<Result> {
  const { client, settings, clock } = cluster;
  const object = await client.find(resources.clusterVersions, key);
  if (!object) return done;
  const operators = (await client.list(resources.clusterOperators)).items;
  const desired = desiredVersionOf(object) ?? settings.openShiftVersion;
  const channel = stringAt(object, "spec", "channel") ?? "";
  const status = planClusterVersion({
    clusterVersion: object,
    operators,
    installed: settings.openShiftVersion,
    offers: channel === "" ? undefined : cluster.updates.offers(desired, channel),
    metadataOf: (version) => (channel === "" ? undefined : cluster.updates.metadataOf(version, channel)),
    payloadFailures: cluster.payload.failures,
    rejected: (wanted) => rejectionOf(cluster, wanted),
    now: clock.now(),
  });
  await writeStatus(client, resources.clusterVersions, object, status);
  serveVersion(cluster, operators);
  return done;
}

function rejectionOf({ faults }: Cluster, version: string): string | undefined {
  const fault = faults
    .of("release-rejected")
    .find(({ parameters }) => (parameters.version ?? version) === version);
  return fault && String(fault.parameters.message ?? `the fault ${fault.id} was asked for`);
}

/** Sets the version in `/version` after the API servers have rolled out a new release. */
function serveVersion({ logical, settings }: Cluster, operators: readonly KubeObject[]): void {
  const served = operatorVersion(operators.find(({ metadata }) => metadata.name === "kube-apiserver"));
  // Does nothing for the initially installed version, because the settings may specify its Kubernetes version.
  if (served === undefined || served === settings.openShiftVersion || !parseVersion(served)) return;
  logical.setGitVersion(`v${kubernetesVersionOf(served)}`);
}
