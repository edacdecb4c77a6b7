import type { Cluster } from "../../runtime/cluster.ts";
import { type Controller, keyOf } from "../../runtime/controller.ts";
import { controllerKeys } from "../../runtime/ownership.ts";
import { resources } from "../../runtime/resources.ts";
import { machineNamespace } from "../nodes/node-object.ts";
import { reconcileMachineSet } from "./reconcile.ts";

/** machine-api's machine set controller: as many Machines as `spec.replicas` says. */
export const machineSets: Controller = {
  name: "machine-sets",
  watches: [
    { on: "objects", resource: resources.machineSets, keys: (machineSet) => [keyOf(machineSet)] },
    { on: "objects", resource: resources.machines, keys: (machine) => controllerKeys(machine, "MachineSet") },
    {
      on: "objects",
      resource: resources.nodes,
      keys: async ({ metadata }, { client }: Cluster) => {
        const key = { namespace: machineNamespace, name: metadata.name };
        const machine = await client.find(resources.machines, key);
        return machine ? controllerKeys(machine, "MachineSet") : [];
      },
    },
  ],
  reconcile: reconcileMachineSet,
};
