import { randomUUID } from "node:crypto";
import { providerNamespace, type ResourceKey } from "@keelson/arm";
import type { OpenShiftCluster, OperationDocument } from "@keelson/model";

export interface NewOperation {
  readonly subscriptionId: string;
  readonly location: string;
  readonly key: ResourceKey;
  /** In the state that the operation works off: Creating, Updating or Deleting. */
  readonly cluster: OpenShiftCluster;
  readonly startTime: Date;
  readonly correlationId: string | undefined;
}

/** The document of an operation that is about to start. */
export function newOperation({
  subscriptionId,
  location,
  key,
  cluster,
  startTime,
  correlationId,
}: NewOperation): OperationDocument {
  const id = randomUUID();
  const path = `/subscriptions/${subscriptionId}/providers/${providerNamespace}/locations/${location}/operationsstatus/${id}`;
  return {
    id,
    partitionKey: subscriptionId,
    openShiftClusterKey: key,
    kind: cluster.properties.provisioningState,
    ...(correlationId ? { correlationId } : {}),
    asyncOperation: {
      id: path.toLowerCase(),
      name: id,
      status: cluster.properties.provisioningState,
      startTime: startTime.toISOString(),
      percentComplete: 0,
    },
  };
}
