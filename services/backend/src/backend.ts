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
  /** Number of clusters and subscriptions processed concurrently. Default: 100. */
  readonly workers?: number;
  /** Maximum number of running operations per subscription, summed over all backend processes. Default: 25. */
  readonly runningPerSubscription?: number;
  /** Lease duration. Default: 60,000 ms. */
  readonly leaseMs?: number;
  /** Interval between lease renewals. Default: 10,000 ms. */
  readonly heartbeatMs?: number;
  /**
   * Maximum number of consecutive acquisitions of a cluster in which no step finishes. After that, the operation fails. Default:
   * 5.
   */
  readonly maxAttempts?: number;
  /** Delay before the backend tries again to delete a subscription with busy clusters. Default: 30,000 ms. */
  readonly subscriptionBackoffMs?: number;
  /** Delay before a cluster is acquired again, if the failure occurred outside the operation's steps. Default: 10,000 ms. */
  readonly failureBackoffMs?: number;
  /** Time limit for running steps during a drain. Default: 30,000 ms. */
  readonly drainMs?: number;
  /** Name of this process in leases and journals. Default: random. */
  readonly owner?: string;
  /** Build ID that is stored in clusters after successful maintenance. Default: empty, so that no build ID is stored. */
  readonly buildId?: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  readonly tracing?: Tracing;
}

/**
 * Backend workers. They process queued clusters and deleted subscriptions. If clusters of several subscriptions are queued, the
 * workers serve the subscriptions in turn.
 */
export interface Backend extends AsyncDisposable {
  /**
   * Stops acquiring clusters, waits for running steps and releases the leases, so that other workers can acquire the clusters
   * immediately. Steps that still run at the time limit, or when `signal` aborts, are aborted.
   */
  drain(signal: AbortSignal): Promise<void>;
}

/** Starts the workers. Disposal drains them. */
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
        onLost: () => metrics.leaseLosses.inc({ collection: clusters.definition.name }),
        onOldest: (seconds) => metrics.oldestOperation.set(seconds),
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
        onLost: () => metrics.leaseLosses.inc({ collection: subscriptions.definition.name }),
      }),
    ],
  }).start();
  return {
    drain: (signal) => workers.drain(signal),
    [Symbol.asyncDispose]: () => workers.drain(new AbortController().signal),
  };
}
