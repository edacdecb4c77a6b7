import { asCloudError, type ProvisioningState } from "@keelson/arm";
import { type Clock, isCoded, type Logger, messageOf, type Tracing } from "@keelson/base";
import { type ClusterEnvironment, ClusterOperation, isTransient } from "@keelson/cluster";
import { create, type Leased, type ReleaseOptions, replace, type Stored } from "@keelson/database";
import {
  type ClusterDocument,
  newOperation,
  type ServiceDatabase,
  type SubscriptionDocument,
  usesWorkloadIdentity,
} from "@keelson/model";
import { type HeldLease, isInterruption } from "@keelson/workflow";
import type { BackendMetrics } from "./backend-metrics.ts";
import type { ClusterOutcome } from "./cluster-result.ts";
import { completeOperation } from "./complete-operation.ts";
import { failureCode } from "./failure-code.ts";

export interface WorkerDeps {
  readonly database: ServiceDatabase;
  readonly environment: ClusterEnvironment;
  readonly maxAttempts: number;
  readonly subscriptionBackoffMs: number;
  readonly failureBackoffMs: number;
  readonly buildId: string;
  /** Aborts the operation. */
  readonly signal: AbortSignal;
  readonly draining: AbortSignal;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: BackendMetrics;
  readonly tracing: Tracing;
}

/**
 * Factor by which the attempt limit of a preparation exceeds `maxAttempts`. A preparation may fail because the journal is
 * unreadable, so the progress of the operation is unknown. The limit of preparations therefore counts all acquisitions of the
 * operation, apart from those that ended without its fault.
 */
const preparationFactor = 4;

/**
 * Processes an acquired cluster. Returns when the operation ends, when the worker must stop, or when the lease is lost. Releases
 * the lease unless it was lost.
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
  const { provisioningState } = openShiftCluster.properties;
  logger.info({ provisioningState }, "dequeued cluster");
  if (leased.attempt === 1 && correlationData) {
    const waitedMs = deps.clock.now().getTime() - Date.parse(correlationData.requestTime);
    deps.metrics.queueWait.observe({ provisioningState }, Math.max(0, waitedMs) / 1000);
  }
  let release: Release | undefined;
  try {
    release = await work(leased, held, { ...deps, logger });
  } catch (error) {
    if (!held.signal.aborted && !isInterruption(error)) {
      deps.metrics.failures.inc({ stage: "run", code: failureCode(error) });
      logger.error({ error: messageOf(error) }, "worker stopped before the operation's end");
    }
    release = afterFailure(error, deps);
  }
  if (release === undefined || held.signal.aborted) return;
  await deps.database.collections.clusters
    .release(held.lease, { ...release, signal: held.signal })
    .catch((error: unknown) => logger.warn({ error: messageOf(error) }, "lease could not be released"));
}

/** Options for releasing the lease of a cluster with an unfinished operation. */
type Release = Omit<ReleaseOptions, "signal">;

/** Returns the release options after a failure. A failure caused by an unavailable database does not count as an attempt. */
function afterFailure(error: unknown, { signal, failureBackoffMs }: WorkerDeps): Release {
  return {
    backoffMs: signal.aborted ? 0 : failureBackoffMs,
    uncounted: isCoded(error, "StoreUnavailable"),
  };
}

/**
 * Runs the operation and returns the options for releasing the lease. Returns undefined if the operation has ended and its
 * completion has already released the lease.
 */
async function work(
  leased: Stored<ClusterDocument>,
  held: HeldLease<ClusterDocument>,
  deps: WorkerDeps,
): Promise<Release | undefined> {
  const { provisioningState } = leased.document.openShiftCluster.properties;
  const complete = async (stored: Stored<ClusterDocument>, operationId: string, outcome: ClusterOutcome) => {
    const terminal = await completeOperation({ ...deps, guard: held, stored, operationId, outcome });
    report(provisioningState, terminal, stored.document, outcome, deps);
    return undefined;
  };
  let prepared: PreparedOperation;
  try {
    prepared = await prepare(leased, held, deps);
  } catch (error) {
    if (held.signal.aborted || isInterruption(error)) throw error;
    deps.metrics.failures.inc({ stage: "prepare", code: failureCode(error) });
    deps.logger.error({ error: messageOf(error) }, "operation could not be prepared");
    const attempts = held.attempt - held.survivedLosses.length;
    const isLast = attempts > deps.maxAttempts * preparationFactor;
    if (!isLast || isCoded(error, "StoreUnavailable")) return afterFailure(error, deps);
    return await complete(leased, leased.document.asyncOperationId ?? "", { error });
  }
  await using operation = prepared.operation;
  const { operationId } = prepared;
  const span = deps.tracing.start(`operation ${provisioningState}`, {
    parent: leased.document.correlationData?.traceParent,
    attributes: {
      "keelson.operation.id": operationId,
      "keelson.cluster.id": leased.document.openShiftCluster.id,
      "keelson.dequeues": held.attempt,
    },
  });
  const run = () => outcomeOf(operation, held, deps);
  const outcome = await (span ? span.run(run) : run());
  span?.end(outcome === "released" ? undefined : outcome.error);
  if (outcome === "released") return { backoffMs: 0 };
  return await complete(operation.stored, operationId, outcome);
}

interface PreparedOperation {
  readonly operation: ClusterOperation;
  readonly operationId: string;
}

async function prepare(
  leased: Stored<ClusterDocument>,
  held: HeldLease<ClusterDocument>,
  deps: WorkerDeps,
): Promise<PreparedOperation> {
  const { stored, operationId } = await ensureOperation(leased, held, deps);
  const subscription = await readSubscription(stored.document, held, deps);
  const { provisioningState } = stored.document.openShiftCluster.properties;
  const operation = new ClusterOperation({
    ...deps,
    stored,
    operationId,
    subscription,
    guard: held,
    onStep: ({ step, outcome, durationMs }) =>
      deps.metrics.stepDuration.observe({ operation: provisioningState, step, outcome }, durationMs / 1000),
  });
  return { operation: await operation.load(), operationId };
}

async function outcomeOf(
  operation: ClusterOperation,
  held: HeldLease<ClusterDocument>,
  { maxAttempts, environment, logger }: WorkerDeps,
): Promise<ClusterOutcome | "released"> {
  // The limit counts only the acquisitions after the last finished step. An operation that makes progress may be acquired any
  // number of times.
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

/** Returns the cluster's operation. If the cluster was queued without an operation, creates one under the lease. */
async function ensureOperation(
  leased: Stored<ClusterDocument>,
  held: HeldLease<ClusterDocument>,
  { database, environment, clock }: WorkerDeps,
): Promise<{ readonly stored: Stored<ClusterDocument>; readonly operationId: string }> {
  const { asyncOperationId, partitionKey, key, openShiftCluster } = leased.document;
  if (asyncOperationId !== undefined) return { stored: leased, operationId: asyncOperationId };
  const { clusters, operations } = database.collections;
  const operation = newOperation({
    subscriptionId: partitionKey,
    location: environment.location,
    key,
    state: openShiftCluster.properties.provisioningState,
    startTime: clock.now(),
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

/** Values of the metric label `result`, by the log's `resultType`. */
const resultLabels = {
  Success: "success",
  UserError: "user_error",
  InternalServerError: "server_error",
} as const;

/** Logs and counts a completed operation. */
function report(
  before: ProvisioningState,
  terminal: ClusterDocument | undefined,
  document: ClusterDocument,
  { error }: ClusterOutcome,
  { metrics, clock, logger }: WorkerDeps,
): void {
  const after = terminal?.openShiftCluster.properties.provisioningState ?? "Succeeded";
  const cloudError = error === undefined ? undefined : asCloudError(error);
  const resultType = !cloudError ? "Success" : cloudError.status < 500 ? "UserError" : "InternalServerError";
  const requestTime = document.correlationData?.requestTime;
  const durationMs = requestTime === undefined ? undefined : clock.now().getTime() - Date.parse(requestTime);
  const labels = { oldProvisioningState: before, newProvisioningState: after };
  metrics.operations.inc(labels);
  metrics.results.inc({ operation: before, result: resultLabels[resultType] });
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
