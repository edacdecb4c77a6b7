import type { Controller } from "../../runtime/controller.ts";
import { resources } from "../../runtime/resources.ts";
import { reconcileClusterOperators } from "./reconcile.ts";

const all = ["all"];

/** Every cluster operator of the release: their rollout and their health. */
export const clusterOperatorsController: Controller = {
  name: "cluster-operators",
  initialKeys: all,
  watches: [
    { on: "objects", resource: resources.nodes, keys: () => all },
    { on: "objects", resource: resources.clusterVersions, keys: () => all },
    { on: "objects", resource: resources.machineConfigPools, keys: () => all },
    { on: "faults", keys: (fault) => (fault?.kind === "operator-degraded" ? all : []) },
    { on: "virtualMachines", keys: () => all },
  ],
  reconcile: reconcileClusterOperators,
};
