import { randomUUID } from "node:crypto";
import { type ProvisioningState, providerNamespace, type ResourceKey } from "@keelson/arm";
import type { OperationDocument } from "./cluster-documents.ts";

export interface NewOperation {
  /** Default: random. */
  readonly id?: string;
  readonly subscriptionId: string;
  readonly location: string;
  readonly key: ResourceKey;
  /** Provisioning state during the operation: Creating, Updating, Deleting or AdminUpdating. */
  readonly state: ProvisioningState;
  readonly startTime: Date;
  readonly correlationId?: string | undefined;
}

/** Returns the document of a new operation. */
export function newOperation({
  id = randomUUID(),
  subscriptionId,
  location,
  key,
  state,
  startTime,
  correlationId,
}: NewOperation): OperationDocument {
  const path = `/subscriptions/${subscriptionId}/providers/${providerNamespace}/locations/${location}/operationsstatus/${id}`;
  return {
    id,
    partitionKey: subscriptionId,
    openShiftClusterKey: key,
    kind: state,
    ...(correlationId ? { correlationId } : {}),
    asyncOperation: {
      id: path.toLowerCase(),
      name: id,
      status: state,
      startTime: startTime.toISOString(),
      percentComplete: 0,
    },
  };
}
