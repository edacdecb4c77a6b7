import { type Clock, type Logger, Metrics, Tracing } from "@keelson/base";
import { type ClusterEnvironment, maintenanceTaskGraphs } from "@keelson/cluster";
import type { ServiceDatabase } from "@keelson/model";
import { processOwner, QueueWorkers, workQueue } from "@keelson/workflow";
import { actuatorMetrics } from "../metrics/maintenance-metrics.ts";
import { type MaintenanceTasks, workOnManifest } from "./manifest-worker.ts";
import { TaskRegistration } from "./task-registration.ts";

export interface ActuatorOptions {
  readonly database: ServiceDatabase;
  readonly environment: ClusterEnvironment;
  /** Tasks by ID. Default: the tasks of this build. */
  readonly tasks?: MaintenanceTasks;
  /** Number of maintenance manifests processed concurrently. Default: 50. */
  readonly workers?: number;
  /** Lease duration. Default: 60,000 ms. */
  readonly leaseMs?: number;
  /** Interval between lease renewals. Default: 10,000 ms. */
  readonly heartbeatMs?: number;
  /** Time limit for running steps during a drain. Default: 30,000 ms. */
  readonly drainMs?: number;
  /** Time limit for one attempt of a task. Default: 60 minutes. */
  readonly taskMs?: number;
  /** Delay before a manifest is retried if its cluster is busy. Default: 10,000 ms. */
  readonly waitMs?: number;
  /** Name of this process in leases. Default: random. */
  readonly owner?: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  readonly tracing?: Tracing;
}

/** Runs the maintenance manifests that are due. */
export interface Actuator extends AsyncDisposable {
  /** True if due manifests were listed within the last three minutes. */
  ready(): boolean;
  /** Stops acquiring manifests, waits for running steps and releases the leases. */
  drain(signal: AbortSignal): Promise<void>;
}

const readyMs = 3 * 60_000;

/**
 * Starts an actuator. Disposal drains the actuator. Several actuators can run concurrently, because each manifest is leased to
 * one actuator.
 */
export function startActuator({ metrics = new Metrics(), ...options }: ActuatorOptions): Actuator {
  const settings = {
    tasks: maintenanceTaskGraphs,
    workers: 50,
    leaseMs: 60_000,
    heartbeatMs: 10_000,
    drainMs: 30_000,
    taskMs: 60 * 60_000,
    waitMs: 10_000,
    owner: processOwner(),
    tracing: new Tracing(),
    ...options,
  };
  const { database, clock } = settings;
  const counters = actuatorMetrics(metrics);
  const workers = new QueueWorkers({
    ...settings,
    changes: (signal) => database.changes(signal),
    queues: [
      workQueue({
        collection: database.collections.manifests,
        work: (leased, held, signals) =>
          workOnManifest(leased, held, { ...settings, ...signals, metrics: counters }),
        busy: counters.workers,
        onLost: () => counters.leaseLosses.inc(),
        onLength: ({ begun, fresh }) => counters.queueLength.set(begun + fresh),
      }),
    ],
  }).start();
  const registration = new TaskRegistration({ ...settings, tasks: [...settings.tasks.keys()] });
  const drain = async (signal: AbortSignal) => {
    await Promise.all([workers.drain(signal), registration[Symbol.asyncDispose]()]);
  };
  return {
    ready: () => {
      const { lastAcquiredMs } = workers;
      return lastAcquiredMs !== undefined && clock.monotonicMs() - lastAcquiredMs < readyMs;
    },
    drain,
    [Symbol.asyncDispose]: () => drain(new AbortController().signal),
  };
}
