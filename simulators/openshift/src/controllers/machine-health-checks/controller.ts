import type { KubeObject } from "@keelson/apiserver";
import {
  type Controller,
  done,
  keyOf,
  type ReconcileScope,
  type Result,
  watch,
  watchMapped,
} from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { aggregatePause } from "../../base/aggregate-pause.ts";
import { nodeChanged } from "../../base/node-changes.ts";
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
    watchMapped(resources.nodes, allChecks, { where: nodeChanged }),
  ],
  reconcile: reconcileHealthCheck,
};

function allChecks(_object: KubeObject, { cache }: Cluster): readonly ObjectKey[] {
  return cache.informer(resources.machineHealthChecks).list().map(keyOf);
}

async function reconcileHealthCheck(
  key: ObjectKey,
  { client, cache, clock }: Cluster,
  { signal }: Pick<ReconcileScope, "signal">,
): Promise<Result> {
  const check = await client.find(resources.machineHealthChecks, key);
  if (!check || check.metadata.deletionTimestamp !== undefined) return done;
  const { namespace } = check.metadata;
  const machines = cache.informer(resources.machines).list(namespace);
  const nodes = cache.informer(resources.nodes).list();
  const plan = planHealthCheck({ check, machines, nodes, now: clock.now() });
  for (const name of plan.delete) await ensureDeleted(client, resources.machines, { namespace, name });
  for (const name of plan.mark)
    await client.mergePatch(
      resources.machines,
      { namespace, name },
      { metadata: { annotations: { [externalRemediation]: "" } } },
    );
  await writeStatus(client, resources.machineHealthChecks, check, plan.status);
  await aggregatePause(clock, machines.length, signal);
  return plan.nextMs === undefined ? done : { requeueAfterMs: plan.nextMs };
}
