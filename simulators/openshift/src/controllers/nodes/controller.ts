import { type Controller, keyOf } from "../../runtime/controller.ts";
import { resources } from "../../runtime/resources.ts";
import { reconcileNode } from "./reconcile.ts";

/** Kubelets that register and report, and the node life cycle of the cloud provider. */
export const nodes: Controller = {
  name: "nodes",
  watches: [
    { on: "objects", resource: resources.nodes, keys: (node) => [keyOf(node)] },
    {
      on: "faults",
      keys: (fault) => (typeof fault?.parameters.node === "string" ? [fault.parameters.node] : []),
    },
    { on: "virtualMachines", keys: (machine) => [machine.name] },
  ],
  reconcile: reconcileNode,
};
