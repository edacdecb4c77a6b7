import { backoffMs, type Clock, isCoded } from "@keelson/base";
import { engineErrors, type LeaseGuard } from "@keelson/cluster";
import { remove, replace, type Stored, type Write } from "@keelson/database";
import type { ClusterDocument, ServiceDatabase } from "@keelson/model";
import { type ClusterOutcome, settledCluster, settledOperation } from "./cluster-result.ts";

export interface SettleOptions {
  readonly database: ServiceDatabase;
  readonly guard: LeaseGuard;
  readonly stored: Stored<ClusterDocument>;
  readonly operationId: string;
  readonly outcome: ClusterOutcome;
  readonly buildId: string;
  readonly clock: Clock;
}

const backoff = { attempts: Number.POSITIVE_INFINITY, firstMs: 50, factor: 2, maxMs: 5_000, jitter: 0.2 };

/**
 * Ends an operation in one commit: the cluster's document (or its removal), the operation's, and the lease.
 * Goes on trying as long as the lease holds.
 * @throws LeaseLost
 */
export async function settle(options: SettleOptions): Promise<ClusterDocument | undefined> {
  const { guard, clock } = options;
  let { stored } = options;
  for (let attempt = 1; ; attempt++) {
    guard.assertHeld();
    try {
      const { result, settled } = await tryToSettle({ ...options, stored });
      if (result.kind === "committed") return settled;
      if (result.kind === "lease-lost")
        throw engineErrors.LeaseLost("the lease was lost at the operation's end");
    } catch (error) {
      if (isCoded(error, "LeaseLost") || (isCoded(error) && error.retry === "never")) throw error;
    }
    await clock.sleep(backoffMs(backoff, attempt), guard.signal);
    stored = (await reread(options)) ?? stored;
  }
}

async function tryToSettle(options: SettleOptions) {
  const { database, guard, stored, operationId, outcome, buildId, clock } = options;
  const { clusters, operations } = database.collections;
  const { partitionKey } = stored.document;
  const signal = guard.signal;
  const { provisioningState } = stored.document.openShiftCluster.properties;
  const isGone = provisioningState === "Deleting" && outcome.error === undefined;
  const settled = isGone ? undefined : settledCluster(stored.document, outcome, buildId);
  const operation = await operations.find(partitionKey, operationId, signal);
  const writes: Write[] = [settled ? replace(clusters, stored, settled) : remove(clusters, stored)];
  if (operation) {
    const document = settledOperation(operation.document, outcome, clock.now(), settled);
    writes.push(replace(operations, operation, document));
  }
  const result = await database.commit(partitionKey, writes, { lease: guard.lease, release: true, signal });
  return { result, settled };
}

async function reread({
  database,
  guard,
  stored,
}: SettleOptions): Promise<Stored<ClusterDocument> | undefined> {
  const { partitionKey, id } = stored.document;
  try {
    return await database.collections.clusters.find(partitionKey, id, guard.signal);
  } catch {
    // The database does not answer; what we have is tried again.
    return undefined;
  }
}
