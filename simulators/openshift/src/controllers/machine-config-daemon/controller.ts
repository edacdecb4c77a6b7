import type { KubeObject } from "@keelson/apiserver";
import { type Controller, keyOf, watch, watchMapped } from "@keelson/controller";
import { nodeChanged } from "../../base/node-changes.ts";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { watchFaults } from "../../runtime/cluster-watches.ts";
import { reconcileDaemon } from "./reconcile.ts";

/** Simulates the machine config daemon on every node. It applies the node's desired configuration. */
export const machineConfigDaemon: Controller<Cluster> = {
  name: "machine-config-daemon",
  watches: [
    watch(resources.nodes, { where: nodeChanged }),
    // When a pool has a new configuration, the nodes that have no configuration yet are reconciled.
    watchMapped(resources.machineConfigPools, (_pool, { cache }: Cluster) =>
      cache.informer(resources.nodes).list().filter(hasNoConfig).map(keyOf),
    ),
    watchFaults(({ kind }, { cache }) =>
      kind === "config-error" || kind === "drain-error"
        ? cache.informer(resources.nodes).list().map(keyOf)
        : [],
    ),
  ],
  reconcile: reconcileDaemon,
};

function hasNoConfig({ metadata }: KubeObject): boolean {
  return !metadata.annotations?.["machineconfiguration.openshift.io/currentConfig"];
}
