import { create, replace } from "@keelson/database";
import type { BillingDocument, ServiceDatabase } from "@keelson/model";
import { type LeaseGuard, workflowErrors } from "@keelson/workflow";
import type { ClusterHandle } from "./cluster-handle.ts";

/**
 * Billing document of a cluster. The document outlives the cluster. Only the owner of the cluster's lease writes the document.
 */
export interface BillingRecord {
  /** Records the start of billing. Does nothing if billing has already started. */
  ensure(now: Date, tenantId: string, signal: AbortSignal): Promise<void>;
  /** Records the end of billing. Does nothing if there is no record, or if billing has already ended. */
  markDeleted(now: Date, signal: AbortSignal): Promise<void>;
}

/** Dependencies for records that the service stores separately from the cluster's document. */
export interface ClusterRecordDeps {
  readonly database: ServiceDatabase;
  readonly guard: LeaseGuard;
  readonly handle: ClusterHandle;
}

const writeAttempts = 10;

export function billingRecord(deps: ClusterRecordDeps): BillingRecord {
  const { document } = deps.handle.stored;
  const { partitionKey, id } = document;
  const { billing } = deps.database.collections;
  const find = (signal: AbortSignal) => billing.find(partitionKey, id, signal);
  const commit = async (write: ReturnType<typeof create>, signal: AbortSignal) => {
    const result = await deps.database.commit(partitionKey, [write], { lease: deps.guard.lease, signal });
    if (result.kind === "lease-lost") throw workflowErrors.LeaseLost(`the lease on ${document.key} was lost`);
    return result.kind === "committed";
  };
  return {
    async ensure(now, tenantId, signal) {
      if (await find(signal)) return;
      const { openShiftCluster, clusterResourceGroupIdKey } = deps.handle.stored.document;
      const { infraId } = openShiftCluster.properties;
      const entry: BillingDocument = {
        id,
        partitionKey,
        key: document.key,
        clusterResourceGroupIDKey: clusterResourceGroupIdKey,
        ...(infraId === undefined ? {} : { infraId }),
        billing: {
          creationTime: secondsOf(now),
          location: openShiftCluster.location,
          tenantID: tenantId,
        },
      };
      // A conflict is ignored. It means that an earlier attempt created the record, but the response was lost.
      await commit(create(billing, entry), signal);
    },
    async markDeleted(now, signal) {
      for (let attempt = 1; attempt <= writeAttempts; attempt++) {
        const stored = await find(signal);
        if (!stored || stored.document.billing.deletionTime !== undefined) return;
        const entry: BillingDocument = {
          ...stored.document,
          billing: { ...stored.document.billing, deletionTime: secondsOf(now) },
        };
        if (await commit(replace(billing, stored, entry), signal)) return;
      }
      throw workflowErrors.DocumentContended(`the bill of ${document.key} is contended`);
    },
  };
}

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
