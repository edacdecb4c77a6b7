import { CloudError, isTerminal } from "@keelson/arm";
import { backoffMs, type Clock, type Logger } from "@keelson/base";
import type { AdminActionDocument, ClusterDocument, ServiceDatabase } from "@keelson/model";
import { acquireIdleLease, type IdleLease } from "@keelson/workflow";
import { actionPath } from "./action-path.ts";

export interface ClusterTurnOptions {
  readonly database: ServiceDatabase;
  readonly owner: string;
  readonly leaseMs: number;
  readonly heartbeatMs: number;
  /** Maximum time in ms to wait for preceding actions. */
  readonly turnMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

const polling = { attempts: Number.POSITIVE_INFINITY, firstMs: 20, factor: 2, maxMs: 250, jitter: 0.5 };

/**
 * Acquires the lease of an idle cluster. Waits for short actions to end. Actions, operations and maintenance tasks use the same
 * lease, so only one of them changes the cluster at a time.
 * @throws Conflict with the current owner of the cluster
 */
export async function takeCluster(
  document: ClusterDocument,
  options: ClusterTurnOptions,
  signal: AbortSignal,
): Promise<IdleLease<ClusterDocument>> {
  const { database, clock, turnMs } = options;
  const { clusters, adminActions } = database.collections;
  const { partitionKey, id, key } = document;
  const untilMs = clock.monotonicMs() + turnMs;
  for (let attempt = 1; ; attempt++) {
    const lease = await acquireIdleLease({ ...options, collection: clusters, document }, signal);
    if (lease) return lease;
    const current = await clusters.find(partitionKey, id, signal);
    if (!current) throw new CloudError("ResourceNotFound", "The cluster is gone.");
    const { provisioningState } = current.document.openShiftCluster.properties;
    const leftMs = untilMs - clock.monotonicMs();
    if (leftMs <= 0 || !isTerminal(provisioningState)) {
      // The owner may be an action that started before the operation was requested. The operation then waits for this action.
      const holder = await adminActions.findBy(partitionKey, "lockKey", key, signal);
      if (!holder && !isTerminal(provisioningState)) throw operationInProgress(provisioningState);
      throw clusterIsTaken(holder?.document);
    }
    await clock.sleep(Math.min(backoffMs(polling, attempt), leftMs), signal);
  }
}

export function clusterIsTaken(holder: AdminActionDocument | undefined): CloudError {
  const what = holder
    ? `Action '${holder.action}' (${holder.id}) of '${holder.caller ?? "unknown"}', begun at ${holder.startedAt},`
    : "Another action, or maintenance,";
  return new CloudError("Conflict", `${what} is changing this cluster. Try again when it has ended.`, {
    target: holder && actionPath(holder),
  });
}

function operationInProgress(provisioningState: string): CloudError {
  return new CloudError(
    "Conflict",
    `The cluster is in provisioningState '${provisioningState}'. Try again when its operation has ended.`,
  );
}
