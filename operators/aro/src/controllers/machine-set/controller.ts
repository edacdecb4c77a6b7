import { generationChanged, keyOf, watch } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { done } from "../../runtime/aro-controller.ts";
import { switchedOn } from "../../runtime/flags.ts";
import { may, reading } from "../../runtime/may.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";
import { scalingOf } from "./plan.ts";

const { machineSets } = resources;
const selection = {
  namespace: "openshift-machine-api",
  labelSelector: "machine.openshift.io/cluster-api-machine-role=worker",
};

/** Ensures at least two workers if the cluster has only the service's worker MachineSets. */
export const machineSet: RegisteredController = {
  name: "MachineSet",
  flag: "aro.machineset.enabled",
  flags: { "aro.machineset.enabled": switchedOn },
  documentation: {
    purpose: "Scales to at least two workers, unless the customer has added a worker MachineSet.",
    improvement:
      "Counts unset replicas as one. A deleted MachineSet does not count as a failure. Reacts to changes of flags.",
  },
  watches: [watch(machineSets, { selection, where: generationChanged })],
  keys: ({ cache }) => cache.informer(machineSets, { selection }).list().map(keyOf),
  permissions: [
    may([...reading, "patch"], "machine.openshift.io", ["machinesets"], { namespace: selection.namespace }),
  ],
  async reconcile({ cache, cluster, objects }, { name }) {
    const workers = cache.informer(machineSets, { selection }).list();
    const scaling = scalingOf(workers, cluster.spec?.infraId ?? "", name);
    if (scaling)
      await objects.correct(machineSets, scaling.machineSet, { spec: { replicas: scaling.replicas } });
    return done;
  },
};
