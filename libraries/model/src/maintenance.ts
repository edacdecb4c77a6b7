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

/** Notices for the cluster's owner: each sets the state of the same name and does nothing else. */
export const maintenanceSignals = ["Pending", "None", "CustomerActionNeeded"] as const;
export type MaintenanceSignal = (typeof maintenanceSignals)[number];

/** The state of maintenance that the cluster's owner sees. */
export type MaintenanceState = MaintenanceSignal | "Planned" | "Unplanned";

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
