import { numberAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { defineCollector } from "../collector.ts";

export const unmanagedNodes = defineCollector({
  name: "emitMachineConfigPoolUnmanagedNodeCounts",
  metrics: {
    "machineconfigpool.unmanagednodescount": {
      help: "Number of nodes minus the number of machines in MachineConfigPools, if the difference is not 0.",
      dimensions: [],
    },
  },
  async collect({ view, emit, explain }) {
    const [pools, nodes] = await Promise.all([
      view.list(resources.machineConfigPools),
      view.list(resources.nodes),
    ]);
    const managed = pools.reduce((sum, pool) => sum + (numberAt(pool, "status", "machineCount") ?? 0), 0);
    const unmanaged = nodes.length - managed;
    if (unmanaged === 0) return;
    emit("machineconfigpool.unmanagednodescount", unmanaged, {});
    explain({ metric: "machineconfigpool.unmanagednodescount", unmanaged });
  },
});
