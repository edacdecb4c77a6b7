import { type Controller, watch } from "@keelson/controller";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { watchFaults, watchMachines } from "../../runtime/cluster-watches.ts";
import { reconcileNode } from "./reconcile.ts";

/** Kubelets that register and report, and the node life cycle of the cloud provider. */
export const nodes: Controller<Cluster> = {
  name: "nodes",
  watches: [
    watch(resources.nodes),
    watchFaults(({ parameters: { node } }) => (typeof node === "string" ? [{ name: node }] : [])),
    watchMachines(({ name }) => [{ name }]),
  ],
  reconcile: reconcileNode,
};
