import { type ProvisioningState, providerNamespace } from "@keelson/arm";
import type { ClusterDocument, OperationDocument } from "@keelson/model";

/** An operation that the backend itself starts, as the frontend makes one for each request. */
export function newOperation(
  { key, partitionKey }: ClusterDocument,
  operation: {
    readonly operationId: string;
    readonly location: string;
    readonly status: ProvisioningState;
    readonly now: Date;
  },
): OperationDocument {
  const { operationId, location, status, now } = operation;
  const id = `/subscriptions/${partitionKey}/providers/${providerNamespace}/locations/${location}/operationsstatus/${operationId}`;
  return {
    id: operationId,
    partitionKey,
    openShiftClusterKey: key,
    kind: status,
    asyncOperation: {
      id: id.toLowerCase(),
      name: operationId,
      status,
      startTime: now.toISOString(),
    },
  };
}
