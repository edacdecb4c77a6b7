/** Maintenance tasks that administrators request for a cluster. */
export const maintenanceTasks = [
  "Everything",
  "OperatorUpdate",
  "CertificatesRenewal",
  "SyncClusterObject",
  "MigrateLoadBalancer",
] as const;
export type MaintenanceTask = (typeof maintenanceTasks)[number];

/**
 * Maintenance notices for the cluster's owner. A notice sets the maintenance state with the same name and has no other effect.
 */
export const maintenanceSignals = ["Pending", "None", "CustomerActionNeeded"] as const;
export type MaintenanceSignal = (typeof maintenanceSignals)[number];

/** Maintenance state that the cluster's owner sees. */
export type MaintenanceState = MaintenanceSignal | "Planned" | "Unplanned";
