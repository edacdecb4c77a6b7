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
  /** Those of this build when absent. */
  readonly tasks?: MaintenanceTasks;
  /** Manifests carried out at once; 50 when absent. */
  readonly workers?: number;
  /** Duration of a lease; 60,000 when absent. */
  readonly leaseMs?: number;
  /** Between two renewals of a lease; 10,000 when absent. */
  readonly heartbeatMs?: number;
  /** How long running steps may go on once drained; 30,000 when absent. */
  readonly drainMs?: number;
  /** How long one try of a task may take; 60 minutes when absent. */
  readonly taskMs?: number;
  /** How long a manifest waits whose cluster is busy; 10,000 when absent. */
  readonly waitMs?: number;
  /** Names this process in leases; random when absent. */
  readonly owner?: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  readonly tracing?: Tracing;
}

/** Carries out manifests as they become due. */
export interface Actuator extends AsyncDisposable {
  /** True when the due manifests have been listed within three minutes. */
  ready(): boolean;
  /** Acquires nothing new, lets running steps end, and releases the leases. */
  drain(signal: AbortSignal): Promise<void>;
}

const readyMs = 3 * 60_000;

/** Starts to work. Disposal drains. Any number of actuators share the manifests by their leases. */
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
