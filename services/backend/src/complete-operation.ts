import { backoffMs, type Clock, isCoded, type Logger, messageOf } from "@keelson/base";
import { remove, replace, type Stored, type Write } from "@keelson/database";
import type { ClusterDocument, ServiceDatabase } from "@keelson/model";
import { type LeaseGuard, workflowErrors } from "@keelson/workflow";
import type { BackendMetrics } from "./backend-metrics.ts";
import { type ClusterOutcome, terminalCluster, terminalOperation } from "./cluster-result.ts";
import { failureCode } from "./failure-code.ts";

export interface CompleteOperationOptions {
  readonly database: ServiceDatabase;
  readonly guard: LeaseGuard;
  readonly stored: Stored<ClusterDocument>;
  readonly operationId: string;
  readonly outcome: ClusterOutcome;
  readonly buildId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: BackendMetrics;
}

/** Retry policy with a total delay of about 30 seconds. */
const policy = { attempts: 12, firstMs: 50, factor: 2, maxMs: 5_000, jitter: 0.2 };

/**
 * Completes an operation. One commit writes or removes the cluster's document, writes the operation's document and releases the
 * lease. While the database is unavailable, the commit is retried until the lease expires. After other errors, it is retried up
 * to a total of 12 attempts.
 * @throws LeaseLost, and the last failure after all attempts
 */
export async function completeOperation(
  options: CompleteOperationOptions,
): Promise<ClusterDocument | undefined> {
  const { guard, clock, logger, metrics } = options;
  let { stored } = options;
  let attempt = 0;
  for (let wait = 1; ; wait++) {
    guard.assertHeld();
    try {
      const { result, terminal } = await tryToComplete({ ...options, stored });
      if (result.kind === "committed") return terminal;
      if (result.kind === "lease-lost")
        throw workflowErrors.LeaseLost("the lease was lost at the operation's end");
      throw workflowErrors.DocumentContended(`the operation's end was not committed: ${result.kind}`);
    } catch (error) {
      if (isCoded(error, "LeaseLost")) throw error;
      guard.signal.throwIfAborted();
      metrics.failures.inc({ stage: "complete", code: failureCode(error) });
      logger.warn({ error: messageOf(error), attempt }, "the operation's end was not written");
      if (isCoded(error) && error.retry === "never") throw error;
      if (!isCoded(error, "StoreUnavailable") && ++attempt >= policy.attempts) throw error;
    }
    await clock.sleep(backoffMs(policy, wait), guard.signal);
    stored = (await reread(options)) ?? stored;
  }
}

async function tryToComplete(options: CompleteOperationOptions) {
  const { database, guard, stored, operationId, outcome, buildId, clock } = options;
  const { clusters, operations, clusterHealth } = database.collections;
  const { partitionKey } = stored.document;
  const signal = guard.signal;
  const { provisioningState } = stored.document.openShiftCluster.properties;
  const isGone = provisioningState === "Deleting" && outcome.error === undefined;
  const terminal = isGone ? undefined : terminalCluster(stored.document, outcome, buildId);
  const operation = await operations.find(partitionKey, operationId, signal);
  const writes: Write[] = [terminal ? replace(clusters, stored, terminal) : remove(clusters, stored)];
  const health = isGone ? await clusterHealth.find(partitionKey, stored.document.id, signal) : undefined;
  if (health) writes.push(remove(clusterHealth, health));
  if (operation) {
    const document = terminalOperation(operation.document, outcome, clock.now(), terminal);
    writes.push(replace(operations, operation, document));
  }
  const result = await database.commit(partitionKey, writes, { lease: guard.lease, release: true, signal });
  return { result, terminal };
}

async function reread({
  database,
  guard,
  stored,
}: CompleteOperationOptions): Promise<Stored<ClusterDocument> | undefined> {
  const { partitionKey, id } = stored.document;
  try {
    return await database.collections.clusters.find(partitionKey, id, guard.signal);
  } catch {
    // The commit below would fail with the same error, which is then counted and logged. This error is therefore ignored here.
    return undefined;
  }
}
