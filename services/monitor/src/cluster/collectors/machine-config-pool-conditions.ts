import { resources } from "@keelson/kube";
import { defineCollector } from "../collector.ts";
import { unexpectedConditions } from "../conditions.ts";

const expected = {
  Degraded: "False",
  NodeDegraded: "False",
  RenderDegraded: "False",
  Updated: "True",
  Updating: "False",
};

export const machineConfigPoolConditions = defineCollector({
  name: "emitMachineConfigPoolConditions",
  metrics: {
    "machineconfigpool.conditions": {
      help: "1 for each condition of a MachineConfigPool with an unexpected status.",
      dimensions: ["name", "status", "type"],
    },
    "machineconfigpool.count": { help: "Number of MachineConfigPools.", dimensions: [] },
  },
  async collect({ view, emit, explain }) {
    const pools = await view.list(resources.machineConfigPools);
    for (const pool of pools) {
      const { name } = pool.metadata;
      for (const { type, status, message } of unexpectedConditions(pool, expected)) {
        emit("machineconfigpool.conditions", 1, { name, status, type });
        explain({ metric: "machineconfigpool.conditions", name, status, type, message });
      }
    }
    emit("machineconfigpool.count", pools.length, {});
  },
});
