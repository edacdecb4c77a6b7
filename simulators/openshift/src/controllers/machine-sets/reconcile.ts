import type { KubeObject } from "@keelson/apiserver";
import { objectAt } from "@keelson/base";
import { controllerReference, done, type Result } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { stringMapAt } from "../../base/fields.ts";
import { randomSuffix } from "../../base/names.ts";
import { ensureDeleted, writeStatus } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { machineFinalizer } from "../machines/plan.ts";
import { planMachineSet } from "./plan.ts";

export async function reconcileMachineSet(key: ObjectKey, { client }: Cluster): Promise<Result> {
  const machineSet = await client.find(resources.machineSets, key);
  if (!machineSet) return done;
  const { namespace } = machineSet.metadata;
  const machines = (await client.list(resources.machines, { namespace })).items;
  const nodes = (await client.list(resources.nodes)).items;
  const plan = planMachineSet({ machineSet, machines, nodes });
  for (let missing = plan.create; missing > 0; missing--)
    await client.create(resources.machines, newMachine(machineSet));
  for (const name of plan.delete) await ensureDeleted(client, resources.machines, { namespace, name });
  await writeStatus(client, resources.machineSets, machineSet, plan.status);
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
