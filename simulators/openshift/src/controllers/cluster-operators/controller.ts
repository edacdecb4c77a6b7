import type { KubeObject } from "@keelson/apiserver";
import { type Controller, watchFor } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { nodeReadinessChanged } from "../../base/node-changes.ts";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { watchFaults, watchMachines } from "../../runtime/cluster-watches.ts";
import { isWrittenByOthers, leaseNamespaces, managementAnnotation } from "./ownership.ts";
import { reconcileClusterOperators } from "./reconcile.ts";

const all: ObjectKey = { name: "all" };

/** Simulates the rollout and health of all cluster operators in the release. */
export const clusterOperatorsController: Controller<Cluster> = {
  name: "cluster-operators",
  initialKeys: [all],
  watches: [
    watchFor(resources.nodes, all, { where: nodeReadinessChanged }),
    watchFor(resources.clusterVersions, all),
    watchFor(resources.machineConfigPools, all),
    // Ignores the simulation's own writes.
    watchFor(resources.clusterOperators, all, {
      where: ({ object }) => isWrittenByOthers(object) || isAnnotated(object),
    }),
    watchFor(resources.leases, all, {
      where: ({ object }) => leaseNamespaces.has(object.metadata.namespace ?? ""),
    }),
    watchFaults(({ kind }) => (kind === "operator-degraded" ? [all] : [])),
    watchMachines(() => [all]),
  ],
  reconcile: reconcileClusterOperators,
};

function isAnnotated({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[managementAnnotation] !== undefined;
}
