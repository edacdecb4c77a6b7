import { sameResource } from "@keelson/arm";
import { create, replace, type Write } from "@keelson/database";
import type { GatewayDocument } from "@keelson/model";
import { workflowErrors } from "@keelson/workflow";
import type { ClusterRecordDeps } from "./billing-record.ts";

/** Gateway record that maps a cluster's private link to the cluster. Only the owner of the cluster's lease writes it. */
export interface GatewayRecord {
  /**
   * Creates the record.
   * @throws Error if the link belongs to a different cluster
   */
  ensure(linkId: string, signal: AbortSignal): Promise<void>;
  /**
   * Marks the record as retired, so that the gateways reject the link. The gateways watch the records and see the mark. The
   * database deletes the record one minute later.
   */
  retire(linkId: string, signal: AbortSignal): Promise<void>;
  isForgotten(linkId: string, signal: AbortSignal): Promise<boolean>;
}

/** Time in seconds until the database deletes a retired record. Every gateway reads the mark within this time. */
const retiredSeconds = 60;

export function gatewayRecord({ database, guard, handle }: ClusterRecordDeps): GatewayRecord {
  const { partitionKey } = handle.stored.document;
  const { gateways } = database.collections;
  const commit = async (write: Write, signal: AbortSignal) => {
    const result = await database.commit(partitionKey, [write], { lease: guard.lease, signal });
    if (result.kind === "lease-lost")
      throw workflowErrors.LeaseLost(`the lease on ${handle.cluster.id} was lost`);
    if (result.kind !== "committed")
      throw workflowErrors.DocumentContended(`the gateway's record of ${handle.cluster.id} is contended`);
  };
  const find = (linkId: string, signal: AbortSignal) => gateways.find(partitionKey, linkId, signal);
  return {
    async ensure(linkId, signal) {
      const { id, properties } = handle.cluster;
      const stored = await find(linkId, signal);
      if (stored && !sameResource(stored.document.gateway.id, id)) {
        throw new Error(`the link ${linkId} is that of the cluster ${stored.document.gateway.id}`);
      }
      if (stored && !stored.document.gateway.deleting) return;
      const { storageSuffix, imageRegistryStorageAccountName } = properties;
      const document: GatewayDocument = {
        id: linkId,
        partitionKey,
        gateway: {
          id,
          ...(storageSuffix ? { storageSuffix } : {}),
          ...(imageRegistryStorageAccountName ? { imageRegistryStorageAccountName } : {}),
        },
      };
      await commit(stored ? replace(gateways, stored, document) : create(gateways, document), signal);
    },
    async retire(linkId, signal) {
      const stored = await find(linkId, signal);
      if (!stored || stored.document.gateway.deleting) return;
      if (!sameResource(stored.document.gateway.id, handle.cluster.id)) return;
      const gateway = { ...stored.document.gateway, deleting: true };
      const document = { ...stored.document, gateway, ttlSeconds: retiredSeconds };
      await commit(replace(gateways, stored, document), signal);
    },
    async isForgotten(linkId, signal) {
      const stored = await find(linkId, signal);
      return !stored || !sameResource(stored.document.gateway.id, handle.cluster.id);
    },
  };
}
