import type { OpenShiftCluster } from "./open-shift-cluster.ts";

/** What administrators have done to a cluster. */
export const maintenanceTasks = [
  "Everything",
  "OperatorUpdate",
  "CertificatesRenewal",
  "SyncClusterObject",
  "MigrateLoadBalancer",
] as const;
export type MaintenanceTask = (typeof maintenanceTasks)[number];

/** What they tell the cluster's owner; these set the state of the same name and do nothing else. */
export const maintenanceSignals = ["Pending", "None", "CustomerActionNeeded"] as const;
export type MaintenanceSignal = (typeof maintenanceSignals)[number];

/** What the cluster's owner is told of maintenance. */
export type MaintenanceState = MaintenanceSignal | "Planned" | "Unplanned";

/**
 * The cluster once an administrator has asked for a task, `Everything` where none is named: `AdminUpdating`,
 * or for a signal at rest as before.
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
