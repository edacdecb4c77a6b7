import type { Metrics } from "@keelson/base";

/** Registers the actuator's metrics. Their names follow ARO-RP's metric names, in Prometheus format. */
export function actuatorMetrics(metrics: Metrics) {
  return {
    workers: metrics.gauge({
      name: "mimo_actuator_workers_active_count",
      emits: [{ metric: "mimo.actuator.workers.active.count", value: "observed" }],
      help: "Workers busy with a maintenance manifest.",
    }),
    queueLength: metrics.gauge({
      name: "database_maintenancemanifests_queue_length",
      emits: [{ metric: "database.maintenancemanifests.queue.length", value: "observed" }],
      help: "Maintenance manifests that are due and wait for a worker.",
    }),
    leaseLosses: metrics.counter({
      name: "mimo_actuator_lease_losses_total",
      help: "Leases on manifests that workers lost. Another worker resumes the manifest",
    }),
    ended: metrics.counter({
      name: "mimo_actuator_manifests_count_total",
      help: "Maintenance manifests that came to an end, or to another try.",
      labels: ["state"],
    }),
  };
}

export type ActuatorMetrics = ReturnType<typeof actuatorMetrics>;

export function schedulerMetrics(metrics: Metrics) {
  return {
    workers: metrics.gauge({
      name: "mimo_scheduler_workers_active_count",
      emits: [{ metric: "mimo.scheduler.workers.active.count", value: "observed" }],
      help: "Workers busy with a maintenance schedule.",
    }),
    created: metrics.counter({
      name: "mimo_scheduler_manifests_created_total",
      emits: [{ metric: "mimo.scheduler.manifests.created", value: "observed" }],
      help: "Maintenance manifests made for schedules.",
    }),
    cancelled: metrics.counter({
      name: "mimo_scheduler_manifests_cancelled_total",
      emits: [{ metric: "mimo.scheduler.manifests.cancelled", value: "observed" }],
      help: "Maintenance manifests that no longer matched their schedule.",
    }),
  };
}

export type SchedulerMetrics = ReturnType<typeof schedulerMetrics>;
