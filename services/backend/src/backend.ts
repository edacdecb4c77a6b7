import { type Clock, type Logger, Metrics, Tracing } from "@keelson/base";
import type { ClusterEnvironment } from "@keelson/cluster";
import type { ServiceDatabase } from "@keelson/model";
import { processOwner, QueueWorkers, workQueue } from "@keelson/workflow";
import { backendMetrics } from "./backend-metrics.ts";
import { workOnCluster } from "./cluster-worker.ts";
import { workOnSubscription } from "./subscription-worker.ts";

export interface BackendOptions {
  readonly database: ServiceDatabase;
  readonly environment: ClusterEnvironment;
  /** Clusters and subscriptions worked on at once; 100 when absent. */
  readonly workers?: number;
  /** Maximum number of running operations per subscription, in all processes together. Default: 25. */
  readonly runningPerSubscription?: number;
  /** Duration of a lease; 60,000 when absent. */
  readonly leaseMs?: number;
  /** Between two renewals of a lease; 10,000 when absent. */
  readonly heartbeatMs?: number;
  /** Acquisitions in a row in which no step finishes, before a cluster is failed; 5 when absent. */
  readonly maxAttempts?: number;
  /** How long a deleted subscription waits for its busy clusters before its next attempt; 30,000 when absent. */
  readonly subscriptionBackoffMs?: number;
  /** How long a cluster waits for its next worker after a failure outside the operation's steps; 10,000 when absent. */
  readonly failureBackoffMs?: number;
  /** How long running steps may go on once drained; 30,000 when absent. */
  readonly drainMs?: number;
  /** Names this process in leases and journals; random when absent. */
  readonly owner?: string;
  /** Written to the clusters whose maintenance succeeds in this build; empty when absent, and then not written. */
  readonly buildId?: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  readonly tracing?: Tracing;
}

/** Workers that take queued clusters, one of each subscription in turn, and deleted subscriptions. */
export interface Backend extends AsyncDisposable {
  /**
   * Acquires nothing new, lets running steps end, and releases the leases, so that other workers take over at
   * once. After the time limit, or when `signal` aborts, running steps are abandoned.
   */
  drain(signal: AbortSignal): Promise<void>;
}

/** Starts to work. Disposal drains. */
export async function startBackend(options: BackendOptions): Promise<Backend> {
  const settings = {
    workers: 100,
    runningPerSubscription: 25,
    leaseMs: 60_000,
    heartbeatMs: 10_000,
    maxAttempts: 5,
    subscriptionBackoffMs: 30_000,
    failureBackoffMs: 10_000,
    drainMs: 30_000,
    buildId: "",
    tracing: new Tracing(),
    owner: processOwner(),
    ...options,
  };
  const { database } = settings;
  const { clusters, subscriptions } = database.collections;
  const metrics = backendMetrics(options.metrics ?? new Metrics());
  const deps = { ...settings, metrics };
  const workers = new QueueWorkers({
    ...settings,
    changes: (signal) => database.changes(signal),
    queues: [
      workQueue({
        collection: clusters,
        work: (leased, held, signals) => workOnCluster(leased, held, { ...deps, ...signals }),
        busy: metrics.clusterWorkers,
        maxRunning: settings.runningPerSubscription,
        onLength({ begun, fresh }) {
          metrics.queueLength.set(begun + fresh);
          metrics.waitingOperations.set(begun, { priority: "begun" });
          metrics.waitingOperations.set(fresh, { priority: "fresh" });
        },
      }),
      workQueue({
        collection: subscriptions,
        work: (leased, held, signals) => workOnSubscription(leased, held, { ...deps, ...signals }),
        busy: metrics.subscriptionWorkers,
      }),
    ],
  }).start();
  return {
    drain: (signal) => workers.drain(signal),
    [Symbol.asyncDispose]: () => workers.drain(new AbortController().signal),
  };
}
