import { usesWorkloadIdentity } from "@keelson/model";
import { defineCollector } from "../collector.ts";

export const authenticationType = defineCollector({
  name: "emitClusterAuthenticationType",
  metrics: {
    "cluster.AuthenticationType": {
      help: "1 for each cluster. The dimension type is managedIdentity or servicePrincipal.",
      dimensions: ["type"],
    },
  },
  collect({ document: { openShiftCluster }, emit }) {
    const type = usesWorkloadIdentity(openShiftCluster) ? "managedIdentity" : "servicePrincipal";
    emit("cluster.AuthenticationType", 1, { type });
  },
});
