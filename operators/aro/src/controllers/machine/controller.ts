import { singleton } from "@keelson/aro-api";
import { numberAt } from "@keelson/base";
import { anyOf, generationChanged, labelsChanged, metadataOnly, watchFor } from "@keelson/controller";
import { type KubeObject, resources } from "@keelson/kube";
import { done } from "../../runtime/aro-controller.ts";
import { switchedOn } from "../../runtime/flags.ts";
import { may, reading } from "../../runtime/may.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";
import { checkedFields, machineFaults } from "./judge-machines.ts";

const { machines, machineSets } = resources;
const selection = { namespace: "openshift-machine-api" };
const cachedMachines = { selection, strip: checkedFields };
const cachedSets = { selection, strip: replicasOnly };
const where = anyOf(generationChanged, labelsChanged);
const type = "MachineValid";

/** Checks the machines: their number, images, disks and identities. The controller changes nothing. */
export const machine: RegisteredController = {
  name: "Machine",
  flag: "aro.machine.enabled",
  flags: { "aro.machine.enabled": switchedOn },
  conditionTypes: ["MachineValid"],
  documentation: {
    purpose: "Checks images, disks, identities and the number of machines.",
    improvement:
      "Reacts to changes of flags and MachineSets. The message has at most 50 sorted lines. Caches only the fields that it reads.",
  },
  watches: [
    watchFor(machines, singleton, { ...cachedMachines, where }),
    watchFor(machineSets, singleton, { ...cachedSets, where }),
  ],
  permissions: [
    may(reading, "machine.openshift.io", ["machines", "machinesets"], { namespace: selection.namespace }),
  ],
  conditions: "none",
  async reconcile({ cache, status }) {
    const faults = machineFaults(
      cache.informer(machines, cachedMachines).list(),
      cache.informer(machineSets, cachedSets).list(),
    );
    const isGood = faults.length === 0;
    const message = isGood ? "All machines valid" : `${faults.join("\n")}\n`;
    const reason = isGood ? "CheckDone" : "CheckFailed";
    await status.set([{ type, status: isGood ? "True" : "False", reason, message }]);
    return done;
  },
};

function replicasOnly(machineSet: KubeObject): KubeObject {
  return { ...metadataOnly(machineSet), spec: { replicas: numberAt(machineSet, "spec", "replicas") } };
}
