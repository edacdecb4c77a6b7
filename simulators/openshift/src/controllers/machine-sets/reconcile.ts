import type { KubeObject } from "@keelson/apiserver";
import { objectAt } from "@keelson/base";
import { controllerReference, done, type ReconcileScope, type Result } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { aggregatePause } from "../../base/aggregate-pause.ts";
import { stringMapAt } from "../../base/fields.ts";
import { randomSuffix } from "../../base/names.ts";
import { ensureDeleted, writeStatus } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { machineFinalizer } from "../machines/plan.ts";
import { slowStart } from "../pods/slow-start.ts";
import { planMachineSet } from "./plan.ts";

export async function reconcileMachineSet(
  key: ObjectKey,
  { client, cache, clock }: Cluster,
  { signal }: Pick<ReconcileScope, "signal">,
): Promise<Result> {
  const machineSet = await client.find(resources.machineSets, key);
  if (!machineSet) return done;
  const { namespace } = machineSet.metadata;
  const machines = cache.informer(resources.machines).list(namespace);
  const nodes = cache.informer(resources.nodes).list();
  const plan = planMachineSet({ machineSet, machines, nodes });
  await slowStart(plan.create, async () => {
    // The next reconciliation must count the new Machine, even if the watch has not reported it yet.
    cache.written(resources.machines, await client.create(resources.machines, newMachine(machineSet)));
  });
  await slowStart(plan.delete.length, (at) =>
    ensureDeleted(client, resources.machines, { namespace, name: plan.delete[at] ?? "" }),
  );
  await writeStatus(client, resources.machineSets, machineSet, plan.status);
  await aggregatePause(clock, machines.length, signal);
  return done;
}

function newMachine(machineSet: KubeObject): KubeObject {
  const { name, namespace } = machineSet.metadata;
  const template = objectAt(machineSet, "spec", "template");
  return {
    apiVersion: "machine.openshift.io/v1beta1",
    kind: "Machine",
    metadata: {
      name: `${name}-${randomSuffix()}`,
      ...(namespace === undefined ? {} : { namespace }),
      labels: stringMapAt(template, "metadata", "labels"),
      annotations: stringMapAt(template, "metadata", "annotations"),
      finalizers: [machineFinalizer],
      ownerReferences: [controllerReference(machineSet)],
    },
    spec: objectAt(template, "spec"),
  };
}
