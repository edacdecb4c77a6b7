import { type Controller, watch, watchMapped } from "@keelson/controller";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { watchFaults, watchMachines } from "../../runtime/cluster-watches.ts";
import { requestName } from "./kubelet-certificates.ts";
import { reconcileNode } from "./reconcile.ts";

/**
 * Simulates two components: the kubelets, which register nodes and report their status, and the cloud provider's node life cycle
 * controller.
 */
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
