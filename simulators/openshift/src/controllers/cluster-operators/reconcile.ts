import type { KubeObject } from "@keelson/apiserver";
import { numberAt, objectAt, stringAt } from "@keelson/base";
import { done, type ReconcileScope, type Result } from "@keelson/controller";
import { conditionStatus, type ObjectKey } from "@keelson/kube";
import { aggregatePause } from "../../base/aggregate-pause.ts";
import { conditionOf, withConditions } from "../../base/conditions.ts";
import { desiredVersionOf } from "../../base/desired-version.ts";
import { stringMapAt } from "../../base/fields.ts";
import { writeStatus } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import { roleOf } from "../../hypervisor/virtual-machine.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { kubernetesVersionOf } from "../../settings/cluster-settings.ts";
import { defaultTimings } from "../../settings/timings.ts";
import { targetOf } from "../machine-config-pools/plan.ts";
import { controllerConfigKey, isConfiguredFor, releaseOf } from "../machine-configs/controller.ts";
import { releaseVersionOf } from "../machine-configs/names.ts";
import { isBootstrapComplete } from "./bootstrap-complete.ts";
import { clusterOperators, machineConfigOperator } from "./facts.ts";
import { isBrought, leaseNamespaces, ownershipOf } from "./ownership.ts";
import { type OperatorFault, type OperatorReport, planClusterOperators } from "./plan.ts";
import { relatedObjects } from "./related-objects.ts";

/** Times of the last operator rollout by cluster, in milliseconds of the monotonic clock. */
const lastRolloutMs = new WeakMap<Cluster, number>();

/**
 * Returns the milliseconds until the next operator may roll out. Returns 0 if the rollout interval is not longer than the
 * default. At these intervals, operators may roll out closer together than configured.
 */
function untilNextRollout(cluster: Cluster): number {
  const { operatorIntervalMs } = cluster.timings;
  const lastMs = lastRolloutMs.get(cluster);
  if (lastMs === undefined || operatorIntervalMs <= defaultTimings.operatorIntervalMs) return 0;
  return Math.max(0, lastMs + operatorIntervalMs - cluster.clock.monotonicMs());
}

export async function reconcileClusterOperators(
  _key: ObjectKey,
  cluster: Cluster,
  { signal }: Pick<ReconcileScope, "signal">,
): Promise<Result> {
  const { client, cache, clock, settings, timings } = cluster;
  const clusterVersion = await client.find(resources.clusterVersions, { name: "version" });
  const operators = (await client.list(resources.clusterOperators)).items;
  const target = desiredVersionOf(clusterVersion) ?? settings.openShiftVersion;
  const pools = (await client.list(resources.machineConfigPools)).items;
  const others = await ownersOf(cluster, operators, clusterVersion);
  const waitMs = untilNextRollout(cluster);
  const plan = planClusterOperators({
    target,
    mayAdvance: waitMs === 0,
    ownedByOthers: new Set(others.keys()),
    controlPlaneManaged: bootstrapRuns(cluster) || (await isBootstrapComplete(client)),
    masters: settings.controlPlane.replicas,
    ...countReadyNodes(cluster),
    operators,
    machineConfigRolledOut: await isRolledOut(cluster, pools, target),
    degradedPools: degradedPools(pools),
    faults: operatorFaults(cluster),
  });
  if (plan.advanced) lastRolloutMs.set(cluster, cluster.clock.monotonicMs());
  for (const report of plan.reports) {
    const operator = operators.find(({ metadata }) => metadata.name === report.name);
    await writeReport(cluster, operator ?? (await createOperator(cluster, report.name)), report);
  }
  if (plan.turn === machineConfigOperator) await configureMachines(cluster, target);
  await aggregatePause(clock, cache.informer(resources.nodes).size, signal);
  if (plan.more) return { requeueAfterMs: waitMs || timings.operatorIntervalMs };
  return nextExpiry(others, cluster.clock.now());
}

/** Returns the ClusterOperators that real operators own, each with the expiry time of the ownership. */
async function ownersOf(
  { client, clock, payload }: Cluster,
  operators: readonly KubeObject[],
  clusterVersion: KubeObject | undefined,
): Promise<ReadonlyMap<string, Date | undefined>> {
  const lists = await Promise.all(
    [...leaseNamespaces].map((namespace) => client.list(resources.leases, { namespace })),
  );
  const leases = lists.flatMap(({ items }) => items);
  const now = clock.now();
  return new Map(
    clusterOperators.flatMap((facts) => {
      const operator = operators.find(({ metadata }) => metadata.name === facts.name);
      const brought = isBrought(payload, clusterVersion, facts.name);
      const ownership = ownershipOf(facts, { operator, leases, brought, now });
      return ownership.owner === "other" ? [[facts.name, ownership.until] as const] : [];
    }),
  );
}

function nextExpiry(others: ReadonlyMap<string, Date | undefined>, now: Date): Result {
  const ends = [...others.values()].flatMap((until) => (until ? [until.getTime() - now.getTime()] : []));
  return ends.length > 0 ? { requeueAfterMs: Math.max(0, Math.min(...ends)) + 1 } : done;
}

function bootstrapRuns({ machines, settings }: Cluster): boolean {
  return machines
    .list()
    .some(
      (machine) => roleOf(machine, settings.infraId) === "bootstrap" && machine.runningSince !== undefined,
    );
}

/** Counts the ready nodes by role. */
function countReadyNodes({ cache }: Cluster): {
  readonly readyMasters: number;
  readonly readyWorkers: number;
} {
  const nodes = cache.informer(resources.nodes).list();
  const ready = (role: string) =>
    nodes.filter(
      (node) =>
        `node-role.kubernetes.io/${role}` in stringMapAt(node, "metadata", "labels") &&
        conditionStatus(node, "Ready") === "True",
    ).length;
  return { readyMasters: ready("master"), readyWorkers: ready("worker") };
}

/** True if all machines of the control plane pool run the target's configuration. */
async function isRolledOut(
  { client }: Cluster,
  pools: readonly KubeObject[],
  target: string,
): Promise<boolean> {
  const config = await client.find(resources.controllerConfigs, controllerConfigKey);
  if (!isConfiguredFor(config, target)) return false;
  const master = pools.find(({ metadata }) => metadata.name === "master");
  if (!master) return true;
  const name = targetOf(master);
  const rendered = name ? await client.find(resources.machineConfigs, { name }) : undefined;
  return (
    releaseVersionOf(rendered) === target &&
    conditionStatus(master, "Updated") === "True" &&
    stringAt(master, "status", "configuration", "name") === name
  );
}

function degradedPools(pools: readonly KubeObject[]): readonly string[] {
  return pools
    .filter((pool) => conditionStatus(pool, "Degraded") === "True")
    .map((pool) => {
      const text = conditionOf(pool, "RenderDegraded").message || conditionOf(pool, "NodeDegraded").message;
      const counts = ["machineCount", "readyMachineCount", "updatedMachineCount"].map(
        (member) => numberAt(pool, "status", member) ?? 0,
      );
      const [total = 0, ready = 0, updated = 0] = counts;
      return `error during syncRequiredMachineConfigPools: [pool ${pool.metadata.name} is degraded: ${text} (total: ${total}, ready ${ready}, updated: ${updated})]`;
    });
}

function operatorFaults({ faults }: Cluster): readonly OperatorFault[] {
  return faults.of("operator-degraded").map(({ id, parameters }) => ({
    operator: String(parameters.operator),
    reason: String(parameters.reason ?? "FaultInjected"),
    message: String(parameters.message ?? `the fault ${id} was asked for`),
    unavailable: parameters.unavailable === "true",
  }));
}

/** Writes the target release to the ControllerConfig for the machine config operator. */
async function configureMachines({ client }: Cluster, target: string): Promise<void> {
  const present = await client.find(resources.controllerConfigs, controllerConfigKey);
  if (!present || isConfiguredFor(present, target)) return;
  const { annotations, spec } = releaseOf(target);
  await client.update(resources.controllerConfigs, {
    ...present,
    metadata: { ...present.metadata, annotations: { ...present.metadata.annotations, ...annotations } },
    spec: { ...objectAt(present, "spec"), ...spec },
  });
}

function createOperator({ client }: Cluster, name: string): Promise<KubeObject> {
  return client.create(resources.clusterOperators, {
    apiVersion: "config.openshift.io/v1",
    kind: "ClusterOperator",
    metadata: {
      name,
      annotations: { "include.release.openshift.io/self-managed-high-availability": "true" },
    },
    spec: {},
  });
}

async function writeReport(cluster: Cluster, operator: KubeObject, report: OperatorReport): Promise<void> {
  await writeStatus(cluster.client, resources.clusterOperators, operator, {
    conditions: withConditions(operator, report.conditions, cluster.clock.now()),
    versions: report.version === undefined ? [] : versionsOf(report.name, report.version),
    relatedObjects: relatedObjects(report.name),
    extension: null,
  });
}

function versionsOf(name: string, version: string): readonly { name: string; version: string }[] {
  const operands = clusterOperators.find((facts) => facts.name === name)?.operands ?? {};
  const others = Object.entries(operands).map(([operand, counts]) => ({
    name: operand,
    version: counts === "release" ? version : kubernetesVersionOf(version),
  }));
  return [{ name: "operator", version }, ...others];
}
