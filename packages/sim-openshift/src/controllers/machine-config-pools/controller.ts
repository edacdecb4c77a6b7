import { createHash } from "node:crypto";
import type { KubeObject } from "@keelson/apiserver";
import type { Cluster } from "../../runtime/cluster.ts";
import { type Condition, conditionStatus, withConditions } from "../../runtime/conditions.ts";
import { type Controller, keyOf, settled } from "../../runtime/controller.ts";
import { recordAt, textsAt } from "../../runtime/fields.ts";
import { writeStatus } from "../../runtime/objects.ts";
import { resources } from "../../runtime/resources.ts";
import type { Outcome } from "../../runtime/work-queue.ts";

/** The counts of each machine config pool. Every node has the configuration it was born with. */
export const machineConfigPools: Controller = {
  name: "machine-config-pools",
  watches: [
    { on: "objects", resource: resources.machineConfigPools, keys: (pool) => [keyOf(pool)] },
    {
      on: "objects",
      resource: resources.nodes,
      keys: async (_node, { client }: Cluster) =>
        (await client.list(resources.machineConfigPools)).items.map(keyOf),
    },
  ],
  reconcile: reconcilePool,
};

async function reconcilePool(name: string, { client, settings, clock }: Cluster): Promise<Outcome> {
  const pool = await client.find(resources.machineConfigPools, { name });
  if (!pool) return settled;
  const selector = Object.entries(textsAt(pool, "spec", "nodeSelector", "matchLabels"));
  const nodes = (await client.list(resources.nodes)).items.filter((node) =>
    selector.every(([label, value]) => textsAt(node, "metadata", "labels")[label] === value),
  );
  const status = poolStatus(pool, nodes, settings.openShiftVersion, clock.now());
  await writeStatus(client, resources.machineConfigPools, pool, status);
  return settled;
}

export function poolStatus(
  pool: KubeObject,
  nodes: readonly KubeObject[],
  openShiftVersion: string,
  now: Date,
): Record<string, unknown> {
  const { name, generation } = pool.metadata;
  const digest = createHash("md5").update(`${name}/${openShiftVersion}`).digest("hex");
  const ready = nodes.filter((node) => conditionStatus(node, "Ready") === "True").length;
  const conditions: readonly Condition[] = [
    { type: "Updated", status: ready === nodes.length ? "True" : "False" },
    { type: "Updating", status: ready === nodes.length ? "False" : "True" },
    { type: "NodeDegraded", status: "False" },
    { type: "RenderDegraded", status: "False" },
    { type: "Degraded", status: "False" },
  ];
  return {
    ...recordAt(pool, "status"),
    conditions: withConditions(pool, conditions, now),
    configuration: { name: `rendered-${name}-${digest}` },
    degradedMachineCount: 0,
    machineCount: nodes.length,
    observedGeneration: generation ?? 1,
    readyMachineCount: ready,
    unavailableMachineCount: nodes.length - ready,
    updatedMachineCount: nodes.length,
  };
}
