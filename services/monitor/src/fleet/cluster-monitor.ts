import { CallLimit, type Clock, cutText, type Logger, messageOf, untilAborted } from "@keelson/base";
import type { ClusterDocument } from "@keelson/model";
import { apiServerHealth, apiServerPing } from "../cluster/cluster-health.ts";
import type { ClusterView } from "../cluster/cluster-view.ts";
import { type Collector, defaultLimitMs } from "../cluster/collector.ts";
import { provisioning } from "../cluster/collectors/provisioning.ts";
import { Explanations } from "../cluster/explanations.ts";
import { clusterDimensions } from "../metrics/cluster-dimensions.ts";
import { emitWith, type MetricSink } from "../metrics/metric-spec.ts";
import { passMetrics } from "../metrics/monitor-metrics.ts";

export interface ClusterPass {
  readonly document: ClusterDocument;
  readonly view: ClusterView;
  readonly isHourly: boolean;
  readonly signal: AbortSignal;
}

export interface ClusterMonitorOptions {
  readonly collectors: readonly Collector[];
  readonly sink: MetricSink;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Maximum number of concurrent collectors per cluster. */
const parallel = 5;

/**
 * Runs all collectors for one cluster. If the API server is unhealthy, only the collectors that check its health run. A failed
 * collector does not affect other collectors. Resolves to the names of failed collectors.
 */
export async function monitorCluster(
  pass: ClusterPass,
  options: ClusterMonitorOptions,
): Promise<readonly string[]> {
  const startedMs = options.clock.monotonicMs();
  const failed: string[] = [];
  const run = async (collector: Collector) => {
    if (collector.period === "hour" && !pass.isHourly) return true;
    const succeeded = await runCollector(collector, pass, options);
    if (!succeeded) failed.push(collector.name);
    return succeeded;
  };
  await run(provisioning);
  if (!(await run(apiServerHealth))) {
    await run(apiServerPing);
    return failed;
  }
  const waiting = options.collectors.values();
  // Each worker runs the next collector of the same list until the list is empty.
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (const collector of waiting) await run(collector);
    }),
  );
  if (failed.length === 0 && !pass.signal.aborted) {
    const emit = emitWith(passMetrics, options.sink, clusterDimensions(pass.document));
    emit("monitor.cluster.duration", seconds(options.clock.monotonicMs() - startedMs), {});
  }
  return failed;
}

async function runCollector(
  collector: Collector,
  { document, view, isHourly, signal }: ClusterPass,
  { sink, clock, logger }: ClusterMonitorOptions,
): Promise<boolean> {
  const fixed = clusterDimensions(document);
  const emit = emitWith(passMetrics, sink, fixed);
  const named = { collector: collector.name };
  if (signal.aborted) {
    emit("monitor.cluster.collector.skipped", 1, named);
    return false;
  }
  const limitMs = collector.limitMs ?? defaultLimitMs;
  const startedMs = clock.monotonicMs();
  const explanations = new Explanations(logger);
  try {
    await withLimit(limitMs, signal, async (limited) =>
      collector.collect({
        view,
        document,
        emit: emitWith(collector.metrics, sink, fixed),
        explain: (fields) => {
          if (isHourly) explanations.log(fields);
        },
        isHourly,
        now: clock.now(),
        logger,
        signal: limited,
      }),
    );
  } catch (error) {
    emit("monitor.cluster.collector.error", 1, named);
    logger.warn({ ...named, error: cutText(messageOf(error), 1_024) }, "a collector failed");
    return false;
  } finally {
    explanations.end(named);
  }
  emit("monitor.cluster.collector.duration", seconds(clock.monotonicMs() - startedMs), named);
  return true;
}

/** Waits for `work`. Rejects at the time limit, even if `work` ignores its signal. */
async function withLimit(
  limitMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  using limit = new CallLimit(signal, limitMs, { late: new Error(`it took longer than ${limitMs} ms`) });
  await untilAborted(work(limit.signal), limit.signal);
}

function seconds(ms: number): number {
  return ms / 1_000;
}
