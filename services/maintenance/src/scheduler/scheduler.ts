import { randomUUID } from "node:crypto";
import { type Clock, type Logger, Metrics, messageOf } from "@keelson/base";
import { allDocuments, type Change, followChanges } from "@keelson/database";
import {
  type MaintenanceScheduleDocument,
  nextTime,
  type ServiceDatabase,
  schedulesPartition,
} from "@keelson/model";
import { BucketPool } from "@keelson/workflow";
import { type SchedulerMetrics, schedulerMetrics } from "../metrics/maintenance-metrics.ts";
import { ClusterCache } from "./cluster-cache.ts";
import { FairQueue } from "./fair-queue.ts";
import { planOf } from "./plan.ts";
import { reconcile } from "./reconcile.ts";

export interface SchedulerOptions {
  readonly database: ServiceDatabase;
  /** DNS zone of the service. Cluster domains are in this zone. */
  readonly domain: string;
  /** Number of clusters evaluated concurrently. Default: 4. */
  readonly workers?: number;
  /** Maximum interval between two evaluations of a schedule. Default: 60 minutes. */
  readonly everyMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: Metrics;
}

/** Reconciles the manifests of all schedules. Disposal stops the scheduler. */
export interface Scheduler extends AsyncDisposable {
  /** True if the clusters, the schedules and this scheduler's buckets are loaded. */
  ready(): boolean;
}

/**
 * Starts a scheduler. Several schedulers can run concurrently. Each cluster belongs to a bucket, and each bucket belongs to one
 * scheduler, which processes the clusters of the bucket.
 */
export function startScheduler({ metrics = new Metrics(), ...options }: SchedulerOptions): Scheduler {
  return new RunningScheduler({
    workers: 4,
    everyMs: 60 * 60_000,
    ...options,
    metrics: schedulerMetrics(metrics),
  }).start();
}

type Settings = Required<Omit<SchedulerOptions, "metrics">> & { readonly metrics: SchedulerMetrics };

const workerType = "mimo-scheduler";
const backoffAfterTroubleMs = 5_000;
/** Delay in ms between a period's start and its evaluation. */
const afterStartMs = 1_000;

class RunningScheduler implements Scheduler {
  readonly #options: Settings;
  readonly #stop = new AbortController();
  readonly #cache: ClusterCache;
  readonly #pool: BucketPool;
  readonly #schedules = new Map<string, MaintenanceScheduleDocument>();
  readonly #queue = new FairQueue();
  /** Time of each schedule's next evaluation, in ms since the Unix epoch. */
  readonly #dueMs = new Map<string, number>();
  #loaded = false;
  #tasks: readonly Promise<void>[] = [];
  readonly #sleepers = new Set<() => void>();

  constructor(options: Settings) {
    const { database, domain, clock, logger } = options;
    this.#options = options;
    this.#cache = new ClusterCache(database, domain);
    this.#pool = new BucketPool({
      database,
      workerType,
      workerId: randomUUID(),
      onChange: () => this.#markAll(),
      clock,
      logger,
    });
  }

  start(): this {
    this.#pool.start();
    const workers = Array.from({ length: this.#options.workers }, () => this.#work());
    this.#tasks = [this.#listen(), this.#tick(), ...workers];
    return this;
  }

  ready(): boolean {
    return this.#loaded && this.#pool.buckets.size > 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#wakeAll();
    await Promise.all(this.#tasks);
    await this.#pool[Symbol.asyncDispose]();
  }

  async #listen(): Promise<void> {
    const { database, clock, logger } = this.#options;
    const signal = this.#stop.signal;
    const apply = (change: Change) => this.#apply(change, signal);
    await followChanges(database.changes(signal), apply, { clock, logger, signal });
  }

  async #apply(change: Change, signal: AbortSignal): Promise<void> {
    const { clusters, subscriptions, schedules } = this.#options.database.collections;
    if (change.kind === "resync") return this.#reload(signal);
    const { collection, partitionKey, id } = change;
    switch (collection) {
      case schedules.definition.name:
        return this.#refreshSchedule(id, signal);
      case clusters.definition.name: {
        const key = await this.#cache.refreshCluster(partitionKey, id, signal);
        if (key !== undefined) this.#markClusters([key]);
        return;
      }
      case subscriptions.definition.name:
        return this.#markClusters(await this.#cache.refreshSubscription(id, signal));
    }
  }

  async #reload(signal: AbortSignal): Promise<void> {
    await this.#cache.load(signal);
    this.#schedules.clear();
    for await (const { document } of allDocuments(this.#options.database.collections.schedules, signal)) {
      this.#schedules.set(document.id, document);
    }
    this.#loaded = true;
    this.#markAll();
  }

  async #refreshSchedule(id: string, signal: AbortSignal): Promise<void> {
    const { schedules } = this.#options.database.collections;
    const stored = await schedules.find(schedulesPartition, id, signal);
    if (stored) this.#schedules.set(id, stored.document);
    else this.#schedules.delete(id);
    this.#markSchedule(id);
  }

  #markAll(): void {
    for (const id of this.#schedules.keys()) this.#markSchedule(id);
  }

  /** Queues all clusters for evaluation against a schedule. */
  #markSchedule(id: string): void {
    const schedule = this.#schedules.get(id);
    if (!schedule) {
      this.#dueMs.delete(id);
      return;
    }
    this.#dueMs.set(id, this.#nextDueMs(schedule));
    for (const key of this.#cache.keys()) this.#queue.add(id, key);
    this.#wakeAll();
  }

  #markClusters(keys: readonly string[]): void {
    for (const id of this.#schedules.keys()) for (const key of keys) this.#queue.add(id, key);
    this.#wakeAll();
  }

  /** Returns the time of the next evaluation: shortly after the next period starts, but at most `everyMs` from now. */
  #nextDueMs({ maintenanceSchedule }: MaintenanceScheduleDocument): number {
    const now = this.#options.clock.now();
    const latest = now.getTime() + this.#options.everyMs;
    try {
      const next = nextTime(planOf(maintenanceSchedule).calendar, now);
      return Math.min(latest, next ? next.getTime() + afterStartMs : latest);
    } catch {
      return latest;
    }
  }

  async #tick(): Promise<void> {
    const { clock } = this.#options;
    const signal = this.#stop.signal;
    while (!signal.aborted) {
      await clock.sleep(afterStartMs, signal).catch(() => undefined);
      const now = clock.now().getTime();
      for (const [id, dueMs] of [...this.#dueMs]) if (dueMs <= now) this.#markSchedule(id);
    }
  }

  async #work(): Promise<void> {
    const { metrics, clock, logger } = this.#options;
    const signal = this.#stop.signal;
    while (!signal.aborted) {
      const next = this.#queue.take();
      if (!next) {
        await new Promise<void>((resolve) => this.#sleepers.add(resolve));
        continue;
      }
      metrics.workers.inc();
      try {
        await this.#reconcile(next.group, next.item, signal);
      } catch (error) {
        if (!signal.aborted) {
          logger.warn(
            { scheduleId: next.group, resourceId: next.item, error: messageOf(error) },
            "a cluster could not be planned; it will be tried again",
          );
          this.#queue.add(next.group, next.item);
          await clock.sleep(backoffAfterTroubleMs, signal).catch(() => undefined);
        }
      } finally {
        metrics.workers.dec();
      }
    }
  }

  async #reconcile(scheduleId: string, key: string, signal: AbortSignal): Promise<void> {
    const { database, clock, logger, metrics } = this.#options;
    const schedule = this.#schedules.get(scheduleId);
    const cluster = this.#cache.get(key);
    if (!schedule || !cluster || !this.#pool.buckets.has(cluster.bucket)) return;
    const { created, cancelled, problem } = await reconcile(database, schedule, cluster, clock.now(), signal);
    if (created > 0) metrics.created.inc({}, created);
    if (cancelled > 0) metrics.cancelled.inc({}, cancelled);
    const fields = { scheduleId, resourceId: key };
    if (problem !== undefined)
      logger.warn({ ...fields, problem }, "a schedule chooses clusters by what they do not have");
    if (created + cancelled > 0) logger.info({ ...fields, created, cancelled }, "planned maintenance");
  }

  #wakeAll(): void {
    for (const wake of this.#sleepers) wake();
    this.#sleepers.clear();
  }
}
