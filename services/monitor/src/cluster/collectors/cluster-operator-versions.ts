import { listAt, stringAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { defineCollector } from "../collector.ts";

export const clusterOperatorVersions = defineCollector({
  name: "emitClusterOperatorVersions",
  metrics: {
    "clusteroperator.versions": {
      help: "1 for each ClusterOperator with a version that differs from the cluster's requested version.",
      dimensions: ["name", "version"],
    },
  },
  async collect({ view, emit }) {
    const { desired = "" } = await view.versions();
    for (const operator of await view.list(resources.clusterOperators)) {
      for (const operand of listAt(operator, "status", "versions")) {
        const version = stringAt(operand, "version") ?? "";
        if (stringAt(operand, "name") === "operator" && version !== desired)
          emit("clusteroperator.versions", 1, { name: operator.metadata.name, version });
      }
    }
  },
});
