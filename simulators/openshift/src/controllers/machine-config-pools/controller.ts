import type { KubeObject } from "@keelson/apiserver";
import type { Cluster } from "../../runtime/cluster.ts";
import { type Controller, keyOf } from "../../runtime/controller.ts";
import { resources } from "../../runtime/resources.ts";
import { reconcilePool } from "./reconcile.ts";

/** The machine config controller: renders each pool's configuration, and sends its nodes there, few at a time. */
export const machineConfigPools: Controller = {
  name: "machine-config-pools",
  watches: [
    { on: "objects", resource: resources.machineConfigPools, keys: (pool) => [keyOf(pool)] },
    {
      on: "objects",
      resource: resources.machineConfigs,
      keys: (config, cluster) =>
        config.metadata.name.startsWith("rendered-") ? [] : allPools(config, cluster),
    },
    { on: "objects", resource: resources.controllerConfigs, keys: allPools },
    { on: "objects", resource: resources.nodes, keys: allPools },
  ],
  reconcile: reconcilePool,
};

async function allPools(_object: KubeObject, { client }: Cluster): Promise<readonly string[]> {
  return (await client.list(resources.machineConfigPools)).items.map(keyOf);
}
