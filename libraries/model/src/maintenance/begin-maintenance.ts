import {
  type MaintenanceSignal,
  type MaintenanceTask,
  maintenanceSignals,
  maintenanceTasks,
} from "../cluster/maintenance-state.ts";
import type { OpenShiftCluster } from "../cluster/open-shift-cluster.ts";

/**
 * Returns the cluster after an administrator's request. A task (default: `Everything`) changes the provisioning state to
 * `AdminUpdating`. A signal does not change it.
 *
 * | request  | maintenance state | new state  |
 * | -------- | ----------------- | ---------- |
 * | a signal | any               | the signal |
 * | a task   | Pending           | Planned    |
 * | a task   | other             | Unplanned  |
 */
export function beginMaintenance(
  cluster: OpenShiftCluster,
  asked: MaintenanceTask | MaintenanceSignal | undefined,
): OpenShiftCluster {
  const { maintenanceTask: _task, lastAdminUpdateError, ...properties } = cluster.properties;
  const signal = maintenanceSignals.find((each) => each === asked);
  if (signal) {
    const error = lastAdminUpdateError === undefined ? {} : { lastAdminUpdateError };
    return { ...cluster, properties: { ...properties, ...error, maintenanceState: signal } };
  }
  return {
    ...cluster,
    properties: {
      ...properties,
      provisioningState: "AdminUpdating",
      lastProvisioningState: properties.provisioningState,
      maintenanceTask: maintenanceTasks.find((each) => each === asked) ?? "Everything",
      maintenanceState: properties.maintenanceState === "Pending" ? "Planned" : "Unplanned",
    },
  };
}
