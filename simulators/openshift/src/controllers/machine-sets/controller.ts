import { type Controller, controllerOf, watch, watchMapped, watchOwned } from "@keelson/controller";
import { nodeReadinessChanged } from "../../base/node-changes.ts";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { machineNamespace } from "../nodes/node-object.ts";
import { reconcileMachineSet } from "./reconcile.ts";

/** Simulates the MachineSet controller. It maintains `spec.replicas` Machines. */
export const machineSets: Controller<Cluster> = {
  name: "machine-sets",
  watches: [
    watch(resources.machineSets),
    watchOwned(resources.machines, resources.machineSets),
    watchMapped(
      resources.nodes,
      ({ metadata }, { cache }: Cluster) => {
        const key = { namespace: machineNamespace, name: metadata.name };
        const machine = cache.informer(resources.machines).get(key);
        return machine ? controllerOf(machine, resources.machineSets) : [];
      },
      { where: nodeReadinessChanged },
    ),
  ],
  reconcile: reconcileMachineSet,
};
