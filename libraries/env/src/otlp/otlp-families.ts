import { type Clock, type Logger, type MetricFamily, type Metrics, messageOf } from "@keelson/base";
import { type HrTime, ValueType } from "@opentelemetry/api";
import { AggregationTemporality, DataPointType, type MetricData } from "@opentelemetry/sdk-metrics";
import { hrTime } from "./hr-time.ts";

export interface OtlpFamiliesOptions {
  readonly metrics: Metrics;
  readonly exporter: { export(metrics: MetricData[]): Promise<void> };
  readonly onDropped: (count: number) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

const everyMs = 60_000;

/**
 * Sends the metrics of this process to a collector once per minute until `signal` aborts. Sends the final metrics after the
 * abort.
 */
export async function sendFamilies(options: OtlpFamiliesOptions, signal: AbortSignal): Promise<void> {
  const { metrics, exporter, onDropped, clock, logger } = options;
  const startTime = hrTime(clock.now());
  for (;;) {
    const isLast = signal.aborted;
    const sent = metricData(await metrics.families(), { startTime, endTime: hrTime(clock.now()) });
    try {
      await exporter.export(sent);
    } catch (error) {
      const dropped = sent.reduce((sum, { dataPoints }) => sum + dataPoints.length, 0);
      onDropped(dropped);
      logger.warn({ error: messageOf(error), dropped }, "metrics could not be sent");
    }
    if (isLast) return;
    await clock.sleep(everyMs, signal).catch(() => undefined);
  }
}

interface Period {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

/**
 * Converts metrics to OTLP. Counters become monotonic sums since the start of the process. Families without a value are omitted.
 */
function metricData(families: readonly MetricFamily[], period: Period): MetricData[] {
  return families.map((family) => ofFamily(family, period)).filter(({ dataPoints }) => dataPoints.length > 0);
}

function ofFamily(family: MetricFamily, { startTime, endTime }: Period): MetricData {
  const { name, help } = family;
  const common = {
    descriptor: { name, description: help, unit: "", valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const point = { startTime, endTime };
  if (family.kind === "histogram") {
    const dataPoints = family.series.map(({ labels: attributes, bounds, counts, sum, count }) => ({
      ...point,
      attributes,
      value: { buckets: { boundaries: [...bounds], counts: [...counts] }, sum, count },
    }));
    return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints };
  }
  // Node.js reports NaN for values that have not been measured. They are omitted, because JSON has no NaN.
  const dataPoints = family.series
    .filter(({ value }) => Number.isFinite(value))
    .map(({ labels: attributes, value }) => ({ ...point, attributes, value }));
  return family.kind === "counter"
    ? { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...common, dataPointType: DataPointType.GAUGE, dataPoints };
}
