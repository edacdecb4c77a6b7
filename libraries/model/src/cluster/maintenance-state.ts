/** Maintenance tasks that administrators request for a cluster. */
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
