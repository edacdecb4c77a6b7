import {
  asCloudError,
  CloudError,
  flattenCloudError,
  isTerminal,
  type ProvisioningState,
} from "@keelson/arm";
import { messageOf } from "@keelson/base";
import type { ClusterDocument, ClusterProperties, OperationDocument } from "@keelson/model";

/** Result of an operation: success or the error. */
export interface ClusterOutcome {
  readonly error?: unknown;
  /** True if a retry may succeed. */
  readonly transient?: boolean;
}

/**
 * Returns the cluster's document after the operation has ended. The cluster is in a terminal state and no longer refers to the
 * operation. `buildId` identifies the build that ran the operation, and is empty if the build is unknown.
 */
export function terminalCluster(
  document: ClusterDocument,
  outcome: ClusterOutcome,
  buildId: string,
): ClusterDocument {
  const { asyncOperationId: _operation, correlationData: _correlation, ...rest } = document;
  const { maintenanceTask = "Everything", ...properties } = document.openShiftCluster.properties;
  // Only the maintenance task `Everything` records the build that ran the operation, because the other tasks update only parts of
  // a cluster.
  const terminal =
    properties.provisioningState === "AdminUpdating"
      ? afterMaintenance(properties, outcome.error, maintenanceTask === "Everything" ? buildId : "")
      : afterOperation(properties, outcome);
  return { ...rest, openShiftCluster: { ...document.openShiftCluster, properties: terminal } };
}

function afterOperation(
  {
    lastProvisioningState: _last,
    failedProvisioningState: _failed,
    creationResumable: _resumable,
    ...properties
  }: ClusterProperties,
  { error, transient = false }: ClusterOutcome,
): ClusterProperties {
  if (error === undefined) return { ...properties, provisioningState: "Succeeded" };
  const failedProvisioningState = properties.provisioningState;
  // A retry cannot adopt the machines of an installation that has already started.
  const creationResumable = failedProvisioningState === "Creating" && transient && !properties.installState;
  return {
    ...properties,
    provisioningState: "Failed",
    failedProvisioningState,
    ...(creationResumable ? { creationResumable } : {}),
  };
}

/**
 * Returns the properties after an administrator's update. A failed update keeps the previous provisioning state, so a healthy
 * cluster does not become failed. A later success clears the recorded failure, unlike in Azure/ARO-RP.
 */
function afterMaintenance(
  {
    lastProvisioningState: last,
    failedProvisioningState: failedBefore,
    lastAdminUpdateError: _error,
    ...properties
  }: ClusterProperties,
  error: unknown,
  buildId: string,
): ClusterProperties {
  const provisioningState = stateAfterMaintenance(last, error);
  if (error === undefined) {
    const kept = failedBefore === "AdminUpdating" ? undefined : failedBefore;
    return {
      ...properties,
      provisioningState,
      ...(kept === undefined ? {} : { failedProvisioningState: kept }),
      maintenanceState: "None",
      ...(buildId === "" ? {} : { provisionedBy: buildId }),
    };
  }
  return {
    ...properties,
    provisioningState,
    failedProvisioningState: failedBefore ?? "AdminUpdating",
    lastAdminUpdateError: error instanceof CloudError ? flattenCloudError(error) : messageOf(error),
  };
}

function stateAfterMaintenance(last: ProvisioningState | undefined, error: unknown): "Succeeded" | "Failed" {
  if (last !== undefined && isTerminal(last)) return last;
  return error === undefined ? "Succeeded" : "Failed";
}

/** Returns the completed operation's document, with the result that polling clients receive. */
export function terminalOperation(
  document: OperationDocument,
  { error }: ClusterOutcome,
  now: Date,
  cluster: ClusterDocument | undefined,
): OperationDocument {
  const { properties, percentComplete, ...asyncOperation } = document.asyncOperation;
  const progress =
    error === undefined
      ? { percentComplete: 100, ...(properties ? { properties: { ...properties, step: "" } } : {}) }
      : {
          ...(percentComplete === undefined ? {} : { percentComplete }),
          ...(properties === undefined ? {} : { properties }),
        };
  return {
    ...document,
    asyncOperation: {
      ...asyncOperation,
      ...progress,
      status: error === undefined ? "Succeeded" : "Failed",
      endTime: now.toISOString(),
      ...(error === undefined ? {} : { error: asCloudError(error).body }),
    },
    ...(cluster ? { openShiftCluster: cluster.openShiftCluster } : {}),
  };
}
