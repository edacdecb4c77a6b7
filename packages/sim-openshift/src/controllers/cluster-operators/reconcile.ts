import type { KubeObject } from "@keelson/apiserver";
import { roleOf } from "../../hypervisor/virtual-machine.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { conditionStatus, withConditions } from "../../runtime/conditions.ts";
import { settled } from "../../runtime/controller.ts";
import { textAt, textsAt } from "../../runtime/fields.ts";
import { writeStatus } from "../../runtime/objects.ts";
import { resources } from "../../runtime/resources.ts";
import type { Outcome } from "../../runtime/work-queue.ts";
import { isBootstrapComplete } from "../bootstrap/reconcile.ts";
import { type OperatorReport, planClusterOperators } from "./plan.ts";

export async function reconcileClusterOperators(_key: string, cluster: Cluster): Promise<Outcome> {
  const { client, settings, timings } = cluster;
  const clusterVersion = await client.find(resources.clusterVersions, { name: "version" });
  const operators = (await client.list(resources.clusterOperators)).items;
  const plan = planClusterOperators({
    target: textAt(clusterVersion, "status", "desired", "version") ?? settings.openShiftVersion,
    controlPlaneManaged: bootstrapRuns(cluster) || (await isBootstrapComplete(client)),
    masters: settings.controlPlane.replicas,
    ...(await countReadyNodes(cluster)),
    operators,
  });
  for (const report of plan.reports) {
    const operator = operators.find(({ metadata }) => metadata.name === report.name);
    await writeReport(cluster, operator ?? (await createOperator(cluster, report.name)), report);
  }
  return plan.more ? { requeueAfterMs: timings.operatorIntervalMs } : settled;
}

function bootstrapRuns({ machines, settings }: Cluster): boolean {
  return machines
    .list()
    .some(
      (machine) => roleOf(machine, settings.infraId) === "bootstrap" && machine.runningSince !== undefined,
    );
}

/** Nodes that are ready, by role. */
async function countReadyNodes({ client }: Cluster): Promise<{ readyMasters: number; readyWorkers: number }> {
  const nodes = (await client.list(resources.nodes)).items;
  const ready = (role: string) =>
    nodes.filter(
      (node) =>
        `node-role.kubernetes.io/${role}` in textsAt(node, "metadata", "labels") &&
        conditionStatus(node, "Ready") === "True",
    ).length;
  return { readyMasters: ready("master"), readyWorkers: ready("worker") };
}

function createOperator({ client }: Cluster, name: string): Promise<KubeObject> {
  return client.create(resources.clusterOperators, {
    apiVersion: "config.openshift.io/v1",
    kind: "ClusterOperator",
    metadata: { name },
    spec: {},
  });
}

async function writeReport(cluster: Cluster, operator: KubeObject, report: OperatorReport): Promise<void> {
  await writeStatus(cluster.client, resources.clusterOperators, operator, {
    conditions: withConditions(operator, report.conditions, cluster.clock.now()),
    versions: report.version === undefined ? [] : [{ name: "operator", version: report.version }],
    extension: null,
  });
}
