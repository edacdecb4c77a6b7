import type { AzureClients } from "@keelson/azure";
import { type Clock, type Logger, messageOf, startTimeLimit } from "@keelson/base";
import type { KubeClient } from "@keelson/kube";
import type { ClusterDocument } from "@keelson/model";
import { ClusterView } from "../cluster/cluster-view.ts";
import type { Collector } from "../cluster/collector.ts";
import { HealthSamples } from "../health/health-samples.ts";
import type { HealthStore } from "../health/health-store.ts";
import { monitorHive } from "../hive/hive-monitor.ts";
import { workDimensions } from "../metrics/cluster-dimensions.ts";
import type { ClusterGauges } from "../metrics/cluster-gauges.ts";
import type { MetricSink } from "../metrics/metric-spec.ts";
import type { ServiceMetrics } from "../metrics/service-metrics.ts";
import { monitorSecurityGroups } from "../nsg/nsg-monitor.ts";
import type { ClusterAccess } from "./cluster-access.ts";
import { monitorCluster } from "./cluster-monitor.ts";

export interface WatchOptions {
  readonly access: ClusterAccess;
  readonly collectors: readonly Collector[];
  /** Client of the cluster on which Hive runs. Undefined if Hive is not used. */
  readonly hive?: KubeClient;
  /** Sink that receives cluster metrics. Prometheus receives the same metrics. */
  readonly clusterSink: MetricSink;
  /** Metrics of each cluster's last collection, for Prometheus. */
  readonly gauges: ClusterGauges;
  readonly health: Pick<HealthStore, "store">;
  /** Metrics about the monitor itself. */
  readonly metrics: ServiceMetrics;
  /** Time limit of one collection in ms. Default: 50,000. */
  readonly passLimitMs?: number;
  /** Time in ms for which a collector may continue after an abort. Default: 10,000. */
  readonly graceMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface PassRequest {
  readonly document: ClusterDocument;
  readonly isHourly: boolean;
  readonly checksSecurityGroups: boolean;
  /**
   * Returns false if a different monitor may have acquired the cluster. This monitor then sends no more requests and metrics for
   * the cluster.
   */
  readonly isOurs: () => boolean;
  /** Called after each response of the cluster. */
  readonly progress: () => void;
}

/**
 * Collects metrics from a cluster, Hive and the cluster's network security groups concurrently. Never rejects. Aborts the work
 * after `passLimitMs` and stops waiting for the work `graceMs` later.
 */
export async function watchCluster(
  { document, isHourly, checksSecurityGroups, isOurs, progress }: PassRequest,
  options: WatchOptions,
  stopped: AbortSignal,
): Promise<void> {
  const { access, hive, collectors, clusterSink, gauges, health, metrics, clock } = options;
  const logger = options.logger.child({ resourceId: document.openShiftCluster.id });
  const dimensions = workDimensions(document);
  const lost = new AbortController();
  const stop = AbortSignal.any([stopped, lost.signal]);
  const limit = new AbortController();
  const signal = AbortSignal.any([stop, limit.signal]);
  const beforeRequest = () => {
    progress();
    if (!isOurs()) lost.abort(new Error("this monitor no longer watches the cluster"));
    signal.throwIfAborted();
  };
  let kube: KubeClient;
  try {
    kube = access.kube(document, beforeRequest);
  } catch (error) {
    metrics.notReached.inc(dimensions);
    logger.warn({ error: messageOf(error) }, "the cluster cannot be reached");
    return;
  }
  let clients: AzureClients | undefined;
  const azure = () => {
    clients ??= access.azure(document, logger, beforeRequest);
    return clients;
  };
  const guarded = async (name: "cluster" | "hive" | "nsg", work: Promise<unknown>) => {
    try {
      await work;
    } catch (error) {
      if (signal.aborted) return;
      metrics.broken[name].inc(dimensions);
      logger.error({ monitor: name, error: messageOf(error) }, "a monitor broke");
    }
  };
  const recorded = gauges.begin(document.id);
  const samples = new HealthSamples();
  const sink: MetricSink = {
    send(sample) {
      if (stop.aborted || !isOurs()) return;
      clusterSink.send(sample);
      recorded.send(sample);
      samples.send(sample);
    },
  };
  const common = { sink, clock, logger };
  const view = new ClusterView({ kube, azure, signal });
  const work = Promise.all([
    guarded("cluster", monitorCluster({ document, view, isHourly, signal }, { collectors, ...common })),
    hive ? guarded("hive", monitorHive(document, { kube: hive, ...common }, signal)) : undefined,
    guarded(
      "nsg",
      monitorSecurityGroups(document, { azure, isDue: checksSecurityGroups, ...common }, signal),
    ),
  ]);
  if (!(await endsWithin(work, options.passLimitMs ?? 50_000, signal))) {
    if (!stop.aborted) {
      metrics.timedOut.inc(dimensions);
      logger.warn("a pass took too long");
    }
    limit.abort(new Error("the pass took too long"));
    const isOver = await endsWithin(work, options.graceMs ?? 10_000, new AbortController().signal);
    if (!isOver) metrics.forcedCleanup.inc(dimensions);
  }
  if (!stop.aborted) recorded.end();
  const summary = samples.summary();
  if (summary && !stop.aborted && isOurs()) await health.store(document, summary, clock.now(), stop);
  await kube[Symbol.asyncDispose]();
}

/** Returns true if the work has ended. Returns false if the time limit is reached first, or if the signal aborts. */
async function endsWithin(work: Promise<unknown>, ms: number, signal: AbortSignal): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  using _ = startTimeLimit(ms, () => resolve(false));
  const abort = () => resolve(false);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work.then(() => true), promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
