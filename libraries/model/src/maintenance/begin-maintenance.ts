import {
  type MaintenanceSignal,
  type MaintenanceTask,
  maintenanceSignals,
  maintenanceTasks,
} from "../cluster/maintenance-state.ts";
import type { OpenShiftCluster } from "../cluster/open-shift-cluster.ts";

/**
 * The cluster after an administrator's request: a task (`Everything` where none is named) makes it `AdminUpdating`, a
 * signal leaves its provisioning state.
 *
 * | asked for | state was | state becomes |
 * | --------- | --------- | ------------- |
 * | a signal  | any       | the signal    |
 * | a task    | Pending   | Planned       |
 * | a task    | another   | Unplanned     |
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
