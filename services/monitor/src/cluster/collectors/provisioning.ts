import { defineCollector } from "../collector.ts";

export const provisioning = defineCollector({
  name: "emitClusterProvisioning",
  period: "hour",
  metrics: {
    "cluster.provisioning": {
      help: "1 for each cluster. The dimensions have the provisioning states in its document.",
      dimensions: ["provisioningState", "failedProvisioningState"],
    },
  },
  collect({ document, emit }) {
    const { provisioningState, failedProvisioningState = "" } = document.openShiftCluster.properties;
    emit("cluster.provisioning", 1, { provisioningState, failedProvisioningState });
  },
});
