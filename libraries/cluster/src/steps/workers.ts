import { CloudError } from "@keelson/arm";
import { conditionOf, type KubeObject, listAt, resources, textAt } from "@keelson/kube";
import type { OpenShiftCluster } from "@keelson/model";
import { distribute, firstWorkerProfile, withProperties } from "@keelson/model";
import type { ClusterContext } from "../context.ts";
import {
  machineNamespace,
  machineRole,
  replicasOf,
  workerMachineSets,
  workerProfileOf,
} from "../live/worker-profiles.ts";

const minimumWorkers = 2;

/** Enough workers for the cluster's own applications. @throws CloudError QuotaExceeded */
export async function minimumWorkerNodesReady(context: ClusterContext): Promise<boolean> {
  const { machines, nodes } = await workersOf(context);
  if (machines.filter(isRunning).length >= minimumWorkers)
    return nodes.filter(isReady).length >= minimumWorkers;
  failOnQuota(machines);
  return false;
}

/** As many workers run as the MachineSets ask for, and none too many. */
function isComplete(wanted: number, { machines, nodes }: Workers): boolean {
  const allRun = machines.length === wanted && machines.every(isRunning);
  return allRun && nodes.length === wanted && nodes.every(isReady);
}

async function wantedWorkers({ kube, signal }: ClusterContext): Promise<number> {
  return (await workerMachineSets(kube(), signal)).reduce((sum, set) => sum + replicasOf(set), 0);
}

const patienceMs = 5 * 60_000;
const pauseMs = 500;

/** Gives the workers beyond the minimum a while to come up. A cluster that has to do with fewer works too. */
export async function awaitRemainingWorkers(context: ClusterContext): Promise<void> {
  const deadlineMs = context.clock.monotonicMs() + patienceMs;
  while (context.clock.monotonicMs() < deadlineMs) {
    const wanted = await wantedWorkers(context);
    const workers = await workersOf(context);
    if (workers.machines.some(hasFailed) || isComplete(wanted, workers)) return;
    await context.clock.sleep(pauseMs, context.signal);
  }
}

/** Stored in place of a number of workers while a scaling is under way. */
const scaling = 0;

/**
 * Shares a newly requested number of workers out among the MachineSets of the workers. Without a new request
 * the MachineSets are left as their administrators have them.
 */
export async function scaleWorkers(context: ClusterContext): Promise<void> {
  const wanted = firstWorkerProfile(context.cluster).count;
  if (scaledWorkerCount(context.cluster) === wanted) return;
  // A scaling that fails half way is not forgotten: whatever number is requested next is a new one.
  await context.update((cluster) => withProperties(cluster, { scaledWorkerCount: scaling }));
  const sets = await workerMachineSets(context.kube(), context.signal);
  const shares = distribute(wanted, Math.max(1, sets.length));
  const current = sets.reduce((sum, set) => sum + replicasOf(set), 0);
  // A sum that is right stays shared out as its administrators did it.
  if (current === wanted) return;
  for (const [index, set] of sets.entries()) {
    const replicas = shares[index] ?? 0;
    if (replicasOf(set) === replicas) continue;
    const key = { namespace: machineNamespace, name: set.metadata.name };
    await context.kube().mergePatch(resources.machineSets, key, { spec: { replicas } }, context.signal);
  }
}

/** A scaling has come to its end, or there was none to wait for. @throws CloudError QuotaExceeded */
export async function scalingEnded(context: ClusterContext): Promise<boolean> {
  if (scaledWorkerCount(context.cluster) === firstWorkerProfile(context.cluster).count) return true;
  const wanted = await wantedWorkers(context);
  const workers = await workersOf(context);
  // Failed ones that are only too many go by themselves.
  if (workers.machines.filter((each) => !hasFailed(each)).length < wanted) failOnQuota(workers.machines);
  return isComplete(wanted, workers);
}

/** The number that the service last gave the MachineSets; before any scaling, that of their creation. */
function scaledWorkerCount({ properties }: OpenShiftCluster): number {
  const made = (properties.workerProfilesStatus ?? []).reduce((sum, { count }) => sum + count, 0);
  return properties.scaledWorkerCount ?? made;
}

/** Stores what the MachineSets say, one profile for each, and that they have what was requested. */
export async function updateWorkerProfilesStatus(context: ClusterContext): Promise<void> {
  const sets = await workerMachineSets(context.kube(), context.signal);
  const workerProfilesStatus = sets.map((set) => workerProfileOf(context.cluster, set));
  await context.update((cluster) => {
    const scaledWorkerCount = firstWorkerProfile(cluster).count;
    return withProperties(cluster, { workerProfilesStatus, scaledWorkerCount });
  });
}

interface Workers {
  readonly machines: readonly KubeObject[];
  readonly nodes: readonly KubeObject[];
}

async function workersOf({ kube, signal }: ClusterContext): Promise<Workers> {
  const [machines, nodes] = await Promise.all([
    kube().list(
      resources.machines,
      { namespace: machineNamespace, labelSelector: `${machineRole}=worker` },
      signal,
    ),
    kube().list(resources.nodes, { labelSelector: "node-role.kubernetes.io/worker" }, signal),
  ]);
  return { machines: machines.items, nodes: nodes.items };
}

function failOnQuota(machines: readonly KubeObject[]): void {
  const texts = machines
    .filter(hasFailed)
    .flatMap((each) => [
      textAt(each, "status", "errorMessage") ?? "",
      ...listAt(each, "status", "providerStatus", "conditions").map((one) => textAt(one, "message") ?? ""),
    ]);
  const message = texts.find((text) => /quota|sku|NotAvailableForSubscription/i.test(text));
  if (message === undefined) return;
  throw new CloudError("QuotaExceeded", message, {
    status: 500,
    target: "properties.workerProfiles[0].VMSize",
  });
}

function isRunning(machine: KubeObject): boolean {
  return textAt(machine, "status", "phase") === "Running";
}

function hasFailed(machine: KubeObject): boolean {
  return textAt(machine, "status", "phase") === "Failed";
}

function isReady(node: KubeObject): boolean {
  return conditionOf(node, "Ready") === "True";
}
