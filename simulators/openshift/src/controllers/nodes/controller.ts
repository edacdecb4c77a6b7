import { type Controller, watch, watchMapped } from "@keelson/controller";
import { nodeChanged } from "../../base/node-changes.ts";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { watchFaults, watchMachines } from "../../runtime/cluster-watches.ts";
import { machineOfRequest } from "./kubelet-certificates.ts";
import { reconcileNode } from "./reconcile.ts";

/**
 * Simulates two components: the kubelets, which register nodes and report their status, and the cloud provider's node life cycle
 * controller.
 */
export const nodes: Controller<Cluster> = {
  name: "nodes",
  watches: [
    watch(resources.nodes, { where: nodeChanged }),
    watchFaults(({ parameters: { node } }) => (typeof node === "string" ? [{ name: node }] : [])),
    watchMachines(({ name }) => [{ name }]),
    watchMapped(resources.certificateRequests, ({ metadata }, cluster: Cluster) => {
      const name = machineOfRequest(cluster, metadata.name);
      return name === undefined ? [] : [{ name }];
    }),
  ],
  reconcile: reconcileNode,
};
