import { backoffMs, type Clock, isCoded } from "@keelson/base";
import { createLeased, type Leased, remove, replace, type Stored } from "@keelson/database";
import type { AdminActionDocument, ClusterDocument, ServiceDatabase } from "@keelson/model";
import type { IdleLease } from "@keelson/workflow";
import { unexpectedResult } from "../../commits/conflict-retry.ts";
import { isReadable, sealedRecord } from "./action-request.ts";
import { clusterIsTaken } from "./take-cluster.ts";

export interface StoreActionOptions {
  readonly database: ServiceDatabase;
  /** Lease of the cluster. Only the owner of the lease may store an action for the cluster. */
  readonly cluster: IdleLease<ClusterDocument>;
  readonly owner: string;
  readonly leaseMs: number;
  readonly clock: Clock;
}

export interface StoredAction {
  readonly leased: Leased<AdminActionDocument>;
  /** Monotonic time in ms immediately before the request for the lease. */
  readonly askedAtMs: number;
}

const backoff = { attempts: 6, firstMs: 50, factor: 3, maxMs: 5_000, jitter: 0.2 };

/**
 * Stores an action together with this process's lease on it. If the commit's response is lost, the process has not received its
 * lease. The process then undoes the commit and tries again.
 * @throws Conflict if an action of a dead process on this cluster waits to be resumed
 */
export async function storeAction(
  document: AdminActionDocument,
  options: StoreActionOptions,
  signal: AbortSignal,
): Promise<StoredAction> {
  const { database, cluster, owner, leaseMs, clock } = options;
  const { adminActions } = database.collections;
  const { partitionKey } = document;
  const lease = () => ({ lease: cluster.held.lease, signal });
  for (let attempt = 1; ; attempt++) {
    try {
      const askedAtMs = clock.monotonicMs();
      const write = createLeased(adminActions, document, { owner, ttlMs: leaseMs });
      const result = await database.commit(partitionKey, [write], lease());
      if (result.kind === "committed") {
        const [own] = result.leases ?? [];
        if (!own) throw unexpectedResult(result);
        const leased = { document, etag: result.etags[0] ?? "", lease: own, attempt: 1 };
        return { leased, askedAtMs };
      }
      if (result.kind === "lease-lost" || attempt >= backoff.attempts) throw clusterIsTaken(undefined);
      const inTheWay = await actionInTheWay(document, database, signal);
      if (inTheWay?.document.id === document.id) {
        await database.commit(partitionKey, [remove(adminActions, inTheWay)], lease());
      } else if (inTheWay) {
        if (isReadable(inTheWay.document)) throw clusterIsTaken(inTheWay.document);
        // The record of the stored action is unreadable, so the action cannot be resumed. The process that started the action no
        // longer has the cluster's lease.
        const ended = interrupted(inTheWay.document, "What the action wrote cannot be read.", clock.now());
        await database.commit(partitionKey, [replace(adminActions, inTheWay, ended)], lease());
      }
    } catch (error) {
      const passes = isCoded(error) && error.retry === "backoff" && attempt < backoff.attempts;
      if (!passes) throw error;
      await clock.sleep(backoffMs(backoff, attempt), signal);
    }
  }
}

/**
 * Returns the action that prevents the commit. It is either this action, stored by an earlier commit, or a different action on
 * this cluster.
 */
async function actionInTheWay(
  { partitionKey, id, openShiftClusterKey }: AdminActionDocument,
  { collections: { adminActions } }: ServiceDatabase,
  signal: AbortSignal,
): Promise<Stored<AdminActionDocument> | undefined> {
  return (
    (await adminActions.find(partitionKey, id, signal)) ??
    (await adminActions.findBy(partitionKey, "lockKey", openShiftClusterKey, signal))
  );
}

function interrupted(
  { lockKey: _, ...document }: AdminActionDocument,
  message: string,
  now: Date,
): AdminActionDocument {
  const error = { code: "Interrupted", message };
  return {
    ...document,
    state: "Interrupted",
    endedAt: now.toISOString(),
    record: sealedRecord({ progress: [], steps: {}, error }),
  };
}
