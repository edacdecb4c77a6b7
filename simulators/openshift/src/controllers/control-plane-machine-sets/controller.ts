import { stringAt } from "@keelson/base";
import {
  addFinalizer,
  type Controller,
  controllerReference,
  done,
  hasFinalizer,
  named,
  type ReconcileScope,
  type Result,
  removeFinalizer,
  watchFor,
  withLabels,
} from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { ensureObject, writeStatus } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { inProcessApi } from "../../runtime/in-process-api.ts";
import { operatorVersion } from "../cluster-operators/plan.ts";
import { machineNamespace } from "../nodes/node-object.ts";
import {
  controlPlaneFinalizer,
  controlPlaneMachineSetName,
  controlPlaneStatus,
  inactiveSet,
} from "./plan.ts";

const key = { namespace: machineNamespace, name: controlPlaneMachineSetName };
const singleton: ObjectKey = { name: "cluster" };
const masters = "machine.openshift.io/cluster-api-machine-role=master";

/**
 * Simulates the control plane machine set operator. If no set exists, creates an inactive set. An active set is the owner of the
 * master Machines.
 */
export const controlPlaneMachineSets: Controller<Cluster> = {
  name: "control-plane-machine-sets",
  watches: [
    watchFor(resources.controlPlaneMachineSets, singleton),
    watchFor(resources.machines, singleton, {
      where: withLabels({ "machine.openshift.io/cluster-api-machine-role": "master" }),
    }),
    watchFor(resources.clusterOperators, singleton, { where: named("control-plane-machine-set") }),
  ],
  reconcile: reconcileControlPlane,
};

async function reconcileControlPlane(
  _key: ObjectKey,
  { client, clock, settings }: Cluster,
  { signal }: ReconcileScope,
): Promise<Result> {
  const operator = await client.find(resources.clusterOperators, { name: "control-plane-machine-set" });
  if (operatorVersion(operator) === undefined) return done;
  const machines = (
    await client.list(resources.machines, { namespace: machineNamespace, labelSelector: masters })
  ).items;
  const set = await client.find(resources.controlPlaneMachineSets, key);
  if (!set) {
    const wanted = inactiveSet(machineNamespace, settings.infraId, machines);
    if (machines.length > 0) await ensureObject(client, resources.controlPlaneMachineSets, wanted);
    return done;
  }
  const going = set.metadata.deletionTimestamp !== undefined;
  const api = inProcessApi(client);
  // Adds the finalizer, because installers create the set without it. If a set without the finalizer is deleted, the garbage
  // collector also deletes the masters.
  if (!going && !hasFinalizer(set, controlPlaneFinalizer)) {
    await addFinalizer(api, resources.controlPlaneMachineSets, set, controlPlaneFinalizer, signal);
    return done;
  }
  const owns = !going && stringAt(set, "spec", "state") === "Active";
  for (const machine of machines) {
    const references = machine.metadata.ownerReferences ?? [];
    const others = references.filter(({ kind }) => kind !== "ControlPlaneMachineSet");
    const wanted = owns ? [...others, controllerReference(set)] : others;
    if (wanted.length === references.length) continue;
    const metadata = { ...machine.metadata, ownerReferences: wanted };
    await client.update(resources.machines, { ...machine, metadata });
  }
  if (going) {
    await removeFinalizer(api, resources.controlPlaneMachineSets, set, controlPlaneFinalizer, signal);
    return done;
  }
  await writeStatus(
    client,
    resources.controlPlaneMachineSets,
    set,
    controlPlaneStatus({ set, machines, now: clock.now() }),
  );
  return done;
}
