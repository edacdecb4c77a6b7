import type { Metrics } from "@keelson/base";

const operationSeconds = [1, 2, 5, 10, 20, 60, 300, 900, 1800, 3600, 7200];
const waitSeconds = [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 1800, 3600, 7200, 14400];
const stepSeconds = [0.05, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300, 900, 1800];

/** Registers the backend's metrics. Their names follow ARO-RP's metric names, in Prometheus format. */
export function backendMetrics(metrics: Metrics) {
  return {
    clusterWorkers: metrics.gauge({
      name: "backend_openshiftcluster_workers_count",
      emits: [{ metric: "backend.openshiftcluster.workers.count", value: "observed" }],
      help: "Workers busy with a cluster.",
    }),
    subscriptionWorkers: metrics.gauge({
      name: "backend_subscriptions_workers_count",
      emits: [{ metric: "backend.subscriptions.workers.count", value: "observed" }],
      help: "Workers busy with a subscription.",
    }),
    operations: metrics.counter({
      name: "backend_openshiftcluster_count_total",
      emits: [{ metric: "backend.openshiftcluster.count", value: "one" }],
      help: "Completed operations, by provisioning state before and after.",
      labels: ["oldProvisioningState", "newProvisioningState"],
    }),
    results: metrics.counter({
      name: "backend_operations_total",
      help: "Completed operations, by result: success, user_error (status below 500), server_error.",
      labels: ["operation", "result"],
    }),
    operationDuration: metrics.histogram(
      {
        name: "backend_openshiftcluster_duration_seconds",
        emits: [{ metric: "backend.openshiftcluster.duration", value: "milliseconds" }],
        help: "Time from an operation's request to its completion.",
        labels: ["oldProvisioningState", "newProvisioningState"],
      },
      operationSeconds,
    ),
    stepDuration: metrics.histogram(
      {
        name: "backend_openshiftcluster_step_duration_seconds",
        emits: [
          { metric: "backend.openshiftcluster.{operation}.{step}.duration.seconds", value: "observed" },
        ],
        help: "Duration of the steps of operations.",
        labels: ["operation", "step", "outcome"],
      },
      stepSeconds,
    ),
    failures: metrics.counter({
      name: "backend_openshiftcluster_failures_total",
      help: "Failures outside the steps of operations, by stage (prepare, run, complete) and error code.",
      labels: ["stage", "code"],
    }),
    subscriptions: metrics.counter({
      name: "backend_subscriptions_count_total",
      emits: [{ metric: "backend.subscriptions.count", value: "one" }],
      help: "Deleted subscriptions processed.",
    }),
    queueLength: metrics.gauge({
      name: "database_openshiftclusters_queue_length",
      emits: [{ metric: "database.openshiftclusters.queue.length", value: "observed" }],
      help: "Clusters that wait for a worker.",
    }),
    waitingOperations: metrics.gauge({
      name: "backend_queue_operations",
      help: "Operations that wait for a worker. Interrupted operations (begun) precede new ones (fresh).",
      labels: ["priority"],
    }),
    oldestOperation: metrics.gauge({
      name: "backend_oldest_operation_seconds",
      help: "Age of the oldest unfinished operation in seconds. 0 if there is none.",
    }),
    leaseLosses: metrics.counter({
      name: "backend_lease_losses_total",
      help: "Leases that workers lost, by collection. A different worker resumes the work.",
      labels: ["collection"],
    }),
    queueWait: metrics.histogram(
      {
        name: "backend_queue_wait_seconds",
        help: "Time from an operation's request to its first worker, by state of the cluster.",
        labels: ["provisioningState"],
      },
      waitSeconds,
    ),
  };
}

export type BackendMetrics = ReturnType<typeof backendMetrics>;
