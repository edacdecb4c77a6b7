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
  /** How long an action waits for the end of others. */
  readonly turnMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

const polling = { attempts: Number.POSITIVE_INFINITY, firstMs: 20, factor: 2, maxMs: 250, jitter: 0.5 };

/**
 * Takes the lease on an idle cluster, the one that workers of operations and of maintenance take: what changes a cluster
 * has it alone. Short actions of others are waited for.
 * @throws Conflict who has the cluster
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
      // An action may have begun before the operation was asked for, which waits then.
      const holder = await adminActions.findBy(partitionKey, "lockKey", key, signal);
      if (!holder && !isTerminal(provisioningState)) throw operationUnderWay(provisioningState);
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

function operationUnderWay(provisioningState: string): CloudError {
  return new CloudError(
    "Conflict",
    `The cluster is in provisioningState '${provisioningState}'. Try again when its operation has ended.`,
  );
}
