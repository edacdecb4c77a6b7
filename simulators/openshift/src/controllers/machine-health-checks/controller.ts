import type { KubeObject } from "@keelson/apiserver";
import type { Cluster } from "../../runtime/cluster.ts";
import { type Controller, keyOf, parseKey, settled } from "../../runtime/controller.ts";
import { ensureDeleted, writeStatus } from "../../runtime/objects.ts";
import { resources } from "../../runtime/resources.ts";
import type { Outcome } from "../../runtime/work-queue.ts";
import { externalRemediation, planHealthCheck } from "./plan.ts";

/** machine-api's health checks: Machines whose nodes do not recover are deleted, for their sets to replace. */
export const machineHealthChecks: Controller = {
  name: "machine-health-checks",
  watches: [
    { on: "objects", resource: resources.machineHealthChecks, keys: (check) => [keyOf(check)] },
    { on: "objects", resource: resources.machines, keys: allChecks },
    { on: "objects", resource: resources.nodes, keys: allChecks },
  ],
  reconcile: reconcileHealthCheck,
};

async function allChecks(_object: KubeObject, { client }: Cluster): Promise<readonly string[]> {
  return (await client.list(resources.machineHealthChecks)).items.map(keyOf);
}

async function reconcileHealthCheck(key: string, { client, clock }: Cluster): Promise<Outcome> {
  const check = await client.find(resources.machineHealthChecks, parseKey(key));
  if (!check || check.metadata.deletionTimestamp !== undefined) return settled;
  const { namespace } = check.metadata;
  const machines = (await client.list(resources.machines, { namespace })).items;
  const nodes = (await client.list(resources.nodes)).items;
  const plan = planHealthCheck({ check, machines, nodes, now: clock.now() });
  for (const name of plan.delete) await ensureDeleted(client, resources.machines, { namespace, name });
  for (const name of plan.mark)
    await client.mergePatch(
      resources.machines,
      { namespace, name },
      { metadata: { annotations: { [externalRemediation]: "" } } },
    );
  await writeStatus(client, resources.machineHealthChecks, check, plan.status);
  return plan.nextMs === undefined ? settled : { requeueAfterMs: plan.nextMs };
}
