import { type Controller, keyOf, named, watch, watchMapped } from "@keelson/controller";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { watchMachines } from "../../runtime/cluster-watches.ts";
import { machineNamespace } from "../nodes/node-object.ts";
import { reconcileMachine } from "./reconcile.ts";

/** Simulates the Machine controller. For each Machine, it creates an Azure virtual machine, which becomes a cluster node. */
export const machines: Controller<Cluster> = {
  name: "machines",
  // A creation mostly waits for Azure and uses almost no CPU time.
  concurrency: 256,
  watches: [
    watch(resources.machines),
    // Ignores updates of nodes, because a Machine depends only on the existence of its node.
    watchMapped(resources.nodes, ({ metadata: { name } }) => [{ namespace: machineNamespace, name }], {
      where: ({ type }) => type !== "updated",
    }),
    watchMachines(({ name }) => [{ namespace: machineNamespace, name }]),
    watchMapped(
      resources.clusterOperators,
      (_operator, { cache }: Cluster) => cache.informer(resources.machines).list().map(keyOf),
      { where: named("machine-api") },
    ),
  ],
  reconcile: reconcileMachine,
};
