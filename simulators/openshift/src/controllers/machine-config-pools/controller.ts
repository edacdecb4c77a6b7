import type { KubeObject } from "@keelson/apiserver";
import { type Controller, keyOf, watch, watchMapped } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { nodeChanged } from "../../base/node-changes.ts";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { reconcilePool } from "./reconcile.ts";

/**
 * Simulates the machine config controller. It renders the configuration of each pool and updates a limited number of nodes at a
 * time.
 */
export const machineConfigPools: Controller<Cluster> = {
  name: "machine-config-pools",
  watches: [
    watch(resources.machineConfigPools),
    watchMapped(resources.machineConfigs, allPools, {
      where: ({ object }) => !object.metadata.name.startsWith("rendered-"),
    }),
    watchMapped(resources.controllerConfigs, allPools),
    watchMapped(resources.nodes, allPools, { where: nodeChanged }),
  ],
  reconcile: reconcilePool,
};

function allPools(_object: KubeObject, { cache }: Cluster): readonly ObjectKey[] {
  return cache.informer(resources.machineConfigPools).list().map(keyOf);
}
