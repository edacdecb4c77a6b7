import type { KubeObject } from "@keelson/apiserver";
import { type Controller, done, keyOf, type Result, watch, watchMapped } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { ensureDeleted, writeStatus } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { externalRemediation, planHealthCheck } from "./plan.ts";

/**
 * Simulates the MachineHealthCheck controller. It deletes Machines with unhealthy nodes. MachineSets then create replacements.
 */
export const machineHealthChecks: Controller<Cluster> = {
  name: "machine-health-checks",
  watches: [
    watch(resources.machineHealthChecks),
    watchMapped(resources.machines, allChecks),
    watchMapped(resources.nodes, allChecks),
  ],
  reconcile: reconcileHealthCheck,
};

function allChecks(_object: KubeObject, { cache }: Cluster): readonly ObjectKey[] {
  return cache.informer(resources.machineHealthChecks).list().map(keyOf);
}

async function reconcileHealthCheck(key: ObjectKey, { client, clock }: Cluster): Promise<Result> {
  const check = await client.find(resources.machineHealthChecks, key);
  if (!check || check.metadata.deletionTimestamp !== undefined) return done;
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
  return plan.nextMs === undefined ? done : { requeueAfterMs: plan.nextMs };
}
