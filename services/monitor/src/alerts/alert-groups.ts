import type { Alert, AlertGroup } from "./alert.ts";
import { apiServerAlerts } from "./api-server-alerts.ts";
import { azureAlerts } from "./azure-alerts.ts";
import { componentAlerts } from "./component-alerts.ts";
import { machineAlerts } from "./machine-alerts.ts";
import { monitorAlerts } from "./monitor-alerts.ts";
import { platformAlerts } from "./platform-alerts.ts";
import { workloadAlerts } from "./workload-alerts.ts";

/** Metrics that describe clusters and require no action. They have no alerts. */
const fleet: AlertGroup = {
  name: "keelson-fleet",
  title: "Clusters",
  alerts: [],
  collectors: [
    "emitClusterProvisioning",
    "emitClusterVersions",
    "emitOpenShift5Versions",
    "emitSummary",
    "emitMaintenanceState",
    "emitOperatorFlagsAndSupportBanner",
    "emitClusterAuthenticationType",
    "emitNetworkMTU",
    "emitCNVVirtualMachineInstanceStatuses",
  ],
};

export const alertGroups: readonly AlertGroup[] = [
  apiServerAlerts,
  platformAlerts,
  machineAlerts,
  workloadAlerts,
  componentAlerts,
  azureAlerts,
  monitorAlerts,
  fleet,
];

export const alerts: readonly Alert[] = alertGroups.flatMap((group) => group.alerts);
