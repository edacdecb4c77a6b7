import { asCloudError, isTerminal, type ProvisioningState } from "@keelson/arm";
import type { ClusterDocument, OperationDocument } from "@keelson/model";

/** How an operation ended: without an error, or with the one that ended it. */
export interface ClusterOutcome {
  readonly error?: unknown;
}

/** The cluster's document after its operation: at rest, without traces of the operation. */
export function settledCluster(document: ClusterDocument, { error }: ClusterOutcome): ClusterDocument {
  const { asyncOperationId: _operation, correlationData: _correlation, ...rest } = document;
  const {
    lastProvisioningState,
    failedProvisioningState: failedBefore,
    ...properties
  } = document.openShiftCluster.properties;
  const before = properties.provisioningState;
  const provisioningState = stateAfter(before, lastProvisioningState, error !== undefined);
  const failed = error === undefined ? failedBefore : (failedBefore ?? before);
  const failedProvisioningState =
    before === "AdminUpdating" ? failed : error === undefined ? undefined : before;
  return {
    ...rest,
    openShiftCluster: {
      ...document.openShiftCluster,
      properties: {
        ...properties,
        provisioningState,
        ...(failedProvisioningState === undefined ? {} : { failedProvisioningState }),
      },
    },
  };
}

/** An administrator's update leaves the cluster in the state in which it found it. */
function stateAfter(
  before: ProvisioningState,
  last: ProvisioningState | undefined,
  failed: boolean,
): "Succeeded" | "Failed" {
  if (before === "AdminUpdating" && last !== undefined && isTerminal(last)) return last;
  return failed ? "Failed" : "Succeeded";
}

/** The operation's document at its end, with what the client asks for then. */
export function settledOperation(
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
