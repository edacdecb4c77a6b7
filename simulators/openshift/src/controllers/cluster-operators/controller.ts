import type { KubeObject } from "@keelson/apiserver";
import type { Controller } from "../../runtime/controller.ts";
import { resources } from "../../runtime/resources.ts";
import { isWrittenByOthers, leaseNamespaces, managementAnnotation } from "./ownership.ts";
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
    // What the simulation writes itself says nothing new.
    {
      on: "objects",
      resource: resources.clusterOperators,
      keys: (operator) => (isWrittenByOthers(operator) || isAnnotated(operator) ? all : []),
    },
    {
      on: "objects",
      resource: resources.leases,
      keys: ({ metadata }) => (leaseNamespaces.has(metadata.namespace ?? "") ? all : []),
    },
    { on: "faults", keys: (fault) => (fault?.kind === "operator-degraded" ? all : []) },
    { on: "virtualMachines", keys: () => all },
  ],
  reconcile: reconcileClusterOperators,
};

function isAnnotated({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[managementAnnotation] !== undefined;
}
