import type { MaintenanceState } from "@keelson/model";
import { defineCollector } from "../collector.ts";

const states: Readonly<Record<MaintenanceState, string>> = {
  None: "none",
  Pending: "pending",
  Planned: "planned",
  Unplanned: "unplanned",
  CustomerActionNeeded: "customerActionNeeded",
};

export const maintenanceState = defineCollector({
  name: "emitMaintenanceState",
  metrics: {
    "cluster.maintenance.pucm": {
      help: "1 for each cluster. The dimension state has the maintenance state that the cluster's owner can read.",
      dimensions: ["state"],
    },
  },
  collect({ document, emit }) {
    const { maintenanceState: state = "None" } = document.openShiftCluster.properties;
    emit("cluster.maintenance.pucm", 1, { state: states[state] });
  },
});
