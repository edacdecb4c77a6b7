import { resources } from "@keelson/kube";
import { defineCollector } from "../collector.ts";
import { unexpectedConditions } from "../conditions.ts";

const expected = { Available: "True", Progressing: "False", Degraded: "False", Upgradeable: "True" };

export const clusterVersionConditions = defineCollector({
  name: "emitClusterVersionConditions",
  metrics: {
    "clusterversion.conditions": {
      help: "1 for each condition of the ClusterVersion with an unexpected status.",
      dimensions: ["status", "type"],
    },
  },
  async collect({ view, emit, explain }) {
    const clusterVersion = await view.get(resources.clusterVersions, { name: "version" });
    for (const { type, status, message } of unexpectedConditions(clusterVersion, expected)) {
      emit("clusterversion.conditions", 1, { status, type });
      explain({ metric: "clusterversion.conditions", status, type, message });
    }
  },
});
