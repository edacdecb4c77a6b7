import { randomUUID } from "node:crypto";
import { type Clock, type Logger, type Metrics, messageOf } from "@keelson/base";
import { followChanges } from "@keelson/database";
import type { ClusterDocument, ServiceDatabase } from "@keelson/model";
import { BucketPool } from "@keelson/workflow";
import type { ClusterAccess } from "./fleet/cluster-access.ts";
import { ClusterRounds } from "./fleet/cluster-rounds.ts";
import { clusterCollectors, platformPodNamespaces } from "./fleet/collectors.ts";
import { FleetCache } from "./fleet/fleet-cache.ts";
import { metricSpecs } from "./fleet/metric-specs.ts";
import { type WatchOptions, watchCluster } from "./fleet/watch-cluster.ts";
import { HealthStore } from "./health/health-store.ts";
import { ClusterGauges } from "./metrics/cluster-gauges.ts";
import { serviceMetrics } from "./metrics/service-metrics.ts";

export interface MonitorOptions
  extends Pick<WatchOptions, "hive" | "passLimitMs" | "graceMs" | "clusterSink"> {
  readonly database: ServiceDatabase;
  readonly access: ClusterAccess;
  /** Version of the running service. */
  readonly buildId: string;
  /** DNS zone of the service, which contains the domains of the clusters. */
  readonly zone: string;
  /** Namespaces of monitored pods. Default: the platform's namespaces. */
  readonly podNamespaces?: readonly string[];
  /** Interval in ms between two collections from a cluster. Default: 60,000. */
  readonly everyMs?: number;
  /** Maximum number of active collections. Default: 64. */
  readonly concurrentPasses?: number;
  /** Interval in ms between heartbeats to other monitors. Default: 10,000. */
  readonly heartbeatMs?: number;
  /** Time in ms without a heartbeat after which other monitors acquire the clusters of this monitor. Default: 60,000. */
  readonly leaseMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Monitors a share of all clusters. Disposal aborts running collections and releases the share. */
export interface Monitor extends AsyncDisposable {
  /** True if the monitor has loaded the clusters and its buckets. */
  ready(): boolean;
  /** Document IDs of the monitored clusters. */
  readonly watched: readonly string[];
}

/** Starts a monitor. Several monitors divide the clusters among them by buckets. */
export function startMonitor(options: MonitorOptions): Monitor {
  return new RunningMonitor(options).start();
}

const minuteMs = 60_000;
const defaultConcurrentPasses = 64;
const securityGroupsEveryMs = 10 * minuteMs;
const missingSubscriptionEveryMs = 30 * minuteMs;

/** Data about a cluster that is retained between two collections. */
interface Memory {
  /** Hour in which the last collection started, as the number of hours since 1970. */
  hour: number | undefined;
  securityGroupsDueMs: number;
  warnedMs: number;
}

class RunningMonitor implements Monitor {
  readonly #options: MonitorOptions;
  readonly #watch: WatchOptions;
  readonly #stop = new AbortController();
  readonly #cache: FleetCache;
  readonly #pool: BucketPool;
  readonly #rounds: ClusterRounds;
  readonly #memories = new Map<string, Memory>();
  readonly #metrics;
  readonly #gauges: ClusterGauges;
  #tasks: readonly Promise<void>[] = [];

  constructor(options: MonitorOptions) {
    const { database, access, buildId, zone, podNamespaces = platformPodNamespaces, clock, logger } = options;
    this.#options = options;
    const collectors = clusterCollectors({ buildId, zone, podNamespaces });
    this.#metrics = serviceMetrics(options.metrics);
    this.#gauges = new ClusterGauges(options.metrics, metricSpecs(collectors));
    const health = new HealthStore({ database, logger });
    this.#watch = { ...options, access, collectors, gauges: this.#gauges, health, metrics: this.#metrics };
    this.#cache = new FleetCache(database, (id) => this.#assign(id));
    this.#rounds = new ClusterRounds({
      everyMs: options.everyMs ?? minuteMs,
      limit: options.concurrentPasses ?? defaultConcurrentPasses,
      pass: (id, signal, progress) => this.#pass(id, progress, signal),
      onLate: () => this.#metrics.late.inc({}),
      clock,
    });
    this.#pool = new BucketPool({
      database,
      workerType: "monitor",
      workerId: randomUUID(),
      intervalMs: options.heartbeatMs,
      leaseMs: options.leaseMs,
      onChange: () => this.#assignAll(),
      clock,
      logger,
    });
  }

  start(): this {
    const { database, clock, logger } = this.#options;
    const signal = this.#stop.signal;
    this.#pool.start();
    this.#tasks = [
      followChanges(database.changes(signal), (change) => this.#cache.apply(change, signal), {
        clock,
        logger,
        signal,
      }),
      this.#beat(),
    ];
    return this;
  }

  get watched(): readonly string[] {
    return this.#rounds.ids;
  }

  ready(): boolean {
    return this.#cache.isLoaded && this.#pool.buckets.size > 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#rounds[Symbol.asyncDispose]();
    await Promise.all(this.#tasks);
    await this.#pool[Symbol.asyncDispose]();
  }

  #assignAll(): void {
    // If this monitor already has clusters, its new buckets come from a monitor that has stopped. The last heartbeat of the
    // stopped monitor may have been one lease duration ago.
    const isLeft = this.#rounds.ids.length > 0;
    for (const { id } of this.#cache.clusters()) this.#assign(id, isLeft);
  }

  #assign(id: string, isLeft = false): void {
    const document = this.#cache.get(id);
    if (document && !this.#stop.signal.aborted && this.#pool.buckets.has(document.bucket))
      this.#rounds.begin(id, isLeft);
    else {
      this.#rounds.end(id);
      this.#memories.delete(id);
      this.#gauges.forget(id);
    }
  }

  async #pass(id: string, progress: () => void, signal: AbortSignal): Promise<void> {
    const document = this.#cache.get(id);
    if (!document) return;
    // If this monitor's heartbeat is late, other monitors may have acquired its clusters before this monitor is notified.
    const isOurs = () => this.#pool.buckets.has(document.bucket);
    if (!isOurs()) return;
    const memory = this.#memoryOf(document);
    const { clock, logger } = this.#options;
    const nowMs = clock.monotonicMs();
    if (!this.#cache.subscription(document.partitionKey)) {
      if (nowMs - memory.warnedMs >= missingSubscriptionEveryMs) {
        memory.warnedMs = nowMs;
        logger.warn(
          { resourceId: document.openShiftCluster.id },
          "the cluster is not watched: its subscription is in a state without",
        );
      }
      return;
    }
    const hour = Math.floor(clock.now().getTime() / (60 * minuteMs));
    const checksSecurityGroups = nowMs >= memory.securityGroupsDueMs;
    if (checksSecurityGroups) memory.securityGroupsDueMs = nowMs + securityGroupsEveryMs;
    const isHourly = memory.hour !== hour;
    memory.hour = hour;
    this.#measure();
    try {
      const request = { document, isHourly, checksSecurityGroups, isOurs, progress };
      await watchCluster(request, this.#watch, signal);
    } catch (error) {
      logger.error({ resourceId: document.openShiftCluster.id, error: messageOf(error) }, "a pass broke");
    }
  }

  #measure(): void {
    this.#metrics.active.set(this.#rounds.active);
    this.#metrics.waiting.set(this.#rounds.waiting);
  }

  #memoryOf({ id }: ClusterDocument): Memory {
    const known = this.#memories.get(id);
    if (known) return known;
    const memory = { hour: undefined, securityGroupsDueMs: 0, warnedMs: Number.NEGATIVE_INFINITY };
    this.#memories.set(id, memory);
    return memory;
  }

  /** Updates the heartbeat metric and other metrics once a minute. */
  async #beat(): Promise<void> {
    const { clock, buildId } = this.#options;
    const signal = this.#stop.signal;
    while (!signal.aborted) {
      const { clusters, subscriptions } = this.#cache.size;
      this.#metrics.cacheSize.set(clusters, { cache: "openshiftclusters" });
      this.#metrics.cacheSize.set(subscriptions, { cache: "subscriptions" });
      this.#measure();
      if (this.ready()) this.#metrics.heartbeat.set(1, { version: buildId });
      else this.#metrics.heartbeat.remove({ version: buildId });
      await clock.sleep(minuteMs, signal).catch(() => undefined);
    }
  }
}
