import { defineCollector } from "../collector.ts";

export const provisioning = defineCollector({
  name: "emitClusterProvisioning",
  period: "hour",
  metrics: {
    "cluster.provisioning": {
      help: "1 with the states of the cluster's document.",
      dimensions: ["provisioningState", "failedProvisioningState"],
    },
  },
  collect({ document, emit }) {
    const { provisioningState, failedProvisioningState = "" } = document.openShiftCluster.properties;
    emit("cluster.provisioning", 1, { provisioningState, failedProvisioningState });
  },
});
