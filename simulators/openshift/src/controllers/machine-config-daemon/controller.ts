import type { KubeObject } from "@keelson/apiserver";
import { type Controller, keyOf, watch, watchMapped } from "@keelson/controller";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { watchFaults } from "../../runtime/cluster-watches.ts";
import { reconcileDaemon } from "./reconcile.ts";

/** Machine config daemon of every node: applies the node's desired configuration. */
export const machineConfigDaemon: Controller<Cluster> = {
  name: "machine-config-daemon",
  watches: [
    watch(resources.nodes),
    // Existing nodes get a configuration as soon as their pool has one.
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
