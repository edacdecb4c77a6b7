import { CloudError, isTerminal, type ProvisioningState } from "@keelson/arm";
import type { ClusterDocument, OperationDocument, ServiceDatabase } from "@keelson/model";
import type { RequestContext } from "../http/messages/request-context.ts";

/** Operation in the state that callers currently see. */
export type FoundOperation =
  | { readonly stage: "running"; readonly status: ProvisioningState; readonly document: OperationDocument }
  | {
      readonly stage: "ended";
      readonly status: "Succeeded" | "Failed";
      readonly document: OperationDocument;
    };

/**
 * Returns an operation. While the cluster's document refers to the operation, the operation is returned as running. Clients
 * therefore never see the result before the cluster has changed.
 * @throws NotFound, also for operations of a different subscription
 */
export async function findOperation(
  request: RequestContext,
  database: ServiceDatabase,
): Promise<FoundOperation> {
  const { clusters, operations } = database.collections;
  const subscriptionId = request.parameter("subscriptionId");
  const stored = await operations.find(subscriptionId, request.parameter("operationId"), request.signal);
  if (!stored) throw new CloudError("NotFound", "The entity was not found.");
  const { document } = stored;
  if (!isTerminal(document.asyncOperation.status)) return seenFrom(undefined, document);
  const cluster = await clusters.findBy(subscriptionId, "key", document.openShiftClusterKey, request.signal);
  return seenFrom(cluster?.document, document);
}

/** Returns an operation in the state that callers see. If the cluster exists, the cluster's document determines this state. */
export function seenFrom(cluster: ClusterDocument | undefined, document: OperationDocument): FoundOperation {
  const { status } = document.asyncOperation;
  if (!isTerminal(status)) return { stage: "running", status, document };
  const state = cluster?.openShiftCluster.properties.provisioningState;
  if (cluster?.asyncOperationId === document.id && state && !isTerminal(state)) {
    return { stage: "running", status: state, document };
  }
  return { stage: "ended", status, document };
}

/**
 * Returns an operation with the same fields as Azure's ARO service. The end time and the error are omitted while the operation is
 * returned as running.
 */
export function externalOperation({ stage, status, document }: FoundOperation): object {
  const { id, name, startTime, endTime, error } = document.asyncOperation;
  return stage === "ended"
    ? { id, name, status, startTime, endTime, error }
    : { id, name, status, startTime };
}

/** Returns the operation with its steps and the completed percentage of its work. */
export function operationWithProgress(found: FoundOperation): object {
  const { percentComplete, properties } = found.document.asyncOperation;
  return { ...externalOperation(found), percentComplete, properties };
}
