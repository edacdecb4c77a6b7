import type { Cluster } from "../../runtime/cluster.ts";
import { type Controller, keyOf } from "../../runtime/controller.ts";
import { resources } from "../../runtime/resources.ts";
import { machineNamespace } from "../nodes/node-object.ts";
import { reconcileMachine } from "./reconcile.ts";

/** machine-api's machine controller: a Machine is a virtual machine in Azure and a node in the cluster. */
export const machines: Controller = {
  name: "machines",
  watches: [
    { on: "objects", resource: resources.machines, keys: (machine) => [keyOf(machine)] },
    {
      on: "objects",
      resource: resources.nodes,
      keys: (node) => [`${machineNamespace}/${node.metadata.name}`],
    },
    { on: "virtualMachines", keys: (vm) => [`${machineNamespace}/${vm.name}`] },
    {
      on: "objects",
      resource: resources.clusterOperators,
      keys: async ({ metadata }, { client }: Cluster) =>
        metadata.name === "machine-api" ? (await client.list(resources.machines)).items.map(keyOf) : [],
    },
  ],
  reconcile: reconcileMachine,
};
