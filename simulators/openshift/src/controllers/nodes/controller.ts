import { type Controller, watch, watchMapped } from "@keelson/controller";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { watchFaults, watchMachines } from "../../runtime/cluster-watches.ts";
import { requestName } from "./kubelet-certificates.ts";
import { reconcileNode } from "./reconcile.ts";

/** Simulates the kubelets' registration and reports, and the node life cycle controller of the cloud provider. */
export const nodes: Controller<Cluster> = {
  name: "nodes",
  watches: [
    watch(resources.nodes),
    watchFaults(({ parameters: { node } }) => (typeof node === "string" ? [{ name: node }] : [])),
    watchMachines(({ name }) => [{ name }]),
    watchMapped(resources.certificateRequests, ({ metadata }, { machines }: Cluster) =>
      machines
        .list()
        .filter((vm) => requestName(vm, "client") === metadata.name)
        .map(({ name }) => ({ name })),
    ),
  ],
  reconcile: reconcileNode,
};
