import { randomUUID } from "node:crypto";
import { asCloudError, type ProvisioningState } from "@keelson/arm";
import { type Clock, type Logger, messageOf, type Tracing } from "@keelson/base";
import {
  type ClusterEnvironment,
  ClusterOperation,
  type HeldLease,
  isInterruption,
  isTransient,
} from "@keelson/cluster";
import { create, type Leased, replace, type Stored } from "@keelson/database";
import {
  type ClusterDocument,
  type OperationDocument,
  type ServiceDatabase,
  type SubscriptionDocument,
  usesWorkloadIdentity,
} from "@keelson/model";
import type { BackendMetrics } from "./backend-metrics.ts";
import type { ClusterOutcome } from "./cluster-result.ts";
import { newOperation } from "./new-operation.ts";
import { settle } from "./settle.ts";

export interface WorkerDeps {
  readonly database: ServiceDatabase;
  readonly environment: ClusterEnvironment;
  readonly maxAttempts: number;
  readonly subscriptionBackoffMs: number;
  readonly buildId: string;
  /** Abandons the work. */
  readonly signal: AbortSignal;
  readonly draining: AbortSignal;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: BackendMetrics;
  readonly tracing: Tracing;
}

/** After trouble that is not the operation's own, the cluster waits this long for its next worker. */
const backoffAfterTroubleMs = 10_000;

/**
 * Works on one acquired cluster until its operation ends, its worker has to stop, or its lease is lost.
 * Every way out but the last gives the lease back.
 */
export async function workOnCluster(
  leased: Leased<ClusterDocument>,
  held: HeldLease<ClusterDocument>,
  deps: WorkerDeps,
): Promise<void> {
  const { openShiftCluster, correlationData } = leased.document;
  const logger = deps.logger.child({
    resourceId: openShiftCluster.id,
    operationId: leased.document.asyncOperationId,
    correlationId: correlationData?.correlationId,
    dequeues: leased.attempt,
    generation: leased.lease.generation,
  });
  logger.info({ provisioningState: openShiftCluster.properties.provisioningState }, "dequeued cluster");
  let backoffMs: number | undefined;
  try {
    backoffMs = await work(leased, held, { ...deps, logger });
  } catch (error) {
    logger.warn({ error: messageOf(error) }, "worker stopped before the operation's end");
    backoffMs = deps.signal.aborted ? 0 : backoffAfterTroubleMs;
  }
  if (backoffMs === undefined || held.signal.aborted) return;
  await deps.database.collections.clusters
    .release(held.lease, { backoffMs, signal: held.signal })
    .catch((error: unknown) => logger.warn({ error: messageOf(error) }, "lease could not be released"));
}

/** Resolves to the back-off with which to release the lease; `undefined` when the operation ended with it. */
async function work(
  leased: Stored<ClusterDocument>,
  held: HeldLease<ClusterDocument>,
  deps: WorkerDeps,
): Promise<number | undefined> {
  const { stored, operationId } = await ensureOperation(leased, held, deps);
  const subscription = await readSubscription(stored.document, held, deps);
  const { provisioningState } = stored.document.openShiftCluster.properties;
  await using operation = new ClusterOperation({
    ...deps,
    stored,
    operationId,
    subscription,
    guard: held,
    onStep: ({ step, outcome, durationMs }) =>
      deps.metrics.stepDuration.observe({ operation: provisioningState, step, outcome }, durationMs / 1000),
  });
  await operation.load();
  const span = deps.tracing.start(`operation ${provisioningState}`, {
    parent: stored.document.correlationData?.traceParent,
    attributes: {
      "keelson.operation.id": operationId,
      "keelson.cluster.id": stored.document.openShiftCluster.id,
      "keelson.dequeues": held.attempt,
    },
  });
  const run = () => outcomeOf(operation, held, deps);
  const outcome = await (span ? span.run(run) : run());
  span?.end(outcome === "released" ? undefined : outcome.error);
  if (outcome === "released") return 0;
  const settled = await settle({ ...deps, guard: held, stored: operation.stored, operationId, outcome });
  report(provisioningState, settled, stored.document, outcome, deps);
  return undefined;
}

async function outcomeOf(
  operation: ClusterOperation,
  held: HeldLease<ClusterDocument>,
  { maxAttempts, environment, logger }: WorkerDeps,
): Promise<ClusterOutcome | "released"> {
  // Workers that get somewhere may change as often as they like: what counts is how many got nowhere.
  if (operation.attemptsWithoutProgress > maxAttempts) {
    return { error: new Error(`dequeued ${held.attempt} times, failing`) };
  }
  try {
    const result = await operation.run();
    return result === "completed" ? {} : "released";
  } catch (error) {
    if (isInterruption(error)) throw error;
    logger.error({ error: messageOf(error), cause: causeOf(error) }, "operation failed");
    return { error, transient: isTransient(error, environment) };
  }
}

function causeOf(error: unknown): string | undefined {
  return error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : undefined;
}

/** Clusters are queued together with an operation. One that was not gets it here, under the lease. */
async function ensureOperation(
  leased: Stored<ClusterDocument>,
  held: HeldLease<ClusterDocument>,
  { database, environment, clock }: WorkerDeps,
): Promise<{ readonly stored: Stored<ClusterDocument>; readonly operationId: string }> {
  const { asyncOperationId, partitionKey } = leased.document;
  if (asyncOperationId !== undefined) return { stored: leased, operationId: asyncOperationId };
  const { clusters, operations } = database.collections;
  const operation: OperationDocument = newOperation(leased.document, {
    operationId: randomUUID(),
    location: environment.location,
    status: leased.document.openShiftCluster.properties.provisioningState,
    now: clock.now(),
  });
  const document = { ...leased.document, asyncOperationId: operation.id };
  const result = await database.commit(
    partitionKey,
    [replace(clusters, leased, document), create(operations, operation)],
    { lease: held.lease, signal: held.signal },
  );
  if (result.kind !== "committed") throw new Error(`the operation could not be made: ${result.kind}`);
  return { stored: { document, etag: result.etags[0] ?? "" }, operationId: operation.id };
}

async function readSubscription(
  { partitionKey }: ClusterDocument,
  held: HeldLease<ClusterDocument>,
  { database }: WorkerDeps,
): Promise<SubscriptionDocument> {
  const found = await database.collections.subscriptions.find(partitionKey, partitionKey, held.signal);
  if (!found) throw new Error(`the subscription ${partitionKey} is not registered`);
  return found.document;
}

/** One line and a few figures for each operation that ended: the service's quality. */
function report(
  before: ProvisioningState,
  settled: ClusterDocument | undefined,
  document: ClusterDocument,
  { error }: ClusterOutcome,
  { metrics, clock, logger }: WorkerDeps,
): void {
  const after = settled?.openShiftCluster.properties.provisioningState ?? "Succeeded";
  const cloudError = error === undefined ? undefined : asCloudError(error);
  const resultType = !cloudError ? "Success" : cloudError.status < 500 ? "UserError" : "InternalServerError";
  const requestTime = document.correlationData?.requestTime;
  const durationMs = requestTime === undefined ? undefined : clock.now().getTime() - Date.parse(requestTime);
  const labels = { oldProvisioningState: before, newProvisioningState: after };
  metrics.operations.inc(labels);
  if (durationMs !== undefined) metrics.operationDuration.observe(labels, durationMs / 1000);
  logger.info(
    {
      LOGKIND: "asyncqos",
      resultType,
      resultCode: cloudError?.body.code,
      operationType: before,
      provisioningState: after,
      clusterIdentity: usesWorkloadIdentity(document.openShiftCluster) ? "managedid" : "serviceprincipal",
      durationMs,
    },
    "long running operation ended",
  );
}
