import { type Clock, type Logger, messageOf, type Sample } from "@keelson/base";
import { type HrTime, ValueType } from "@opentelemetry/api";
import { AggregationTemporality, DataPointType, type MetricData } from "@opentelemetry/sdk-metrics";
import { hrTime } from "./hr-time.ts";

export interface OtlpSamplesOptions {
  readonly exporter: { export(metrics: MetricData[]): Promise<void> };
  readonly onDropped: (count: number) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Point {
  readonly sample: Sample;
  readonly time: HrTime;
}

const maxQueued = 32_768;
const batchSize = 4_096;
/** Maximum time in ms that an incomplete batch waits for more samples. */
const lingerMs = 5_000;

/**
 * Sends samples to a collector as gauge points, in batches and without blocking callers. Samples are dropped and counted if the
 * queue is full or the collector rejects their batch. Disposal sends the remaining samples, but stops at the first failure.
 */
export class OtlpSamples implements AsyncDisposable {
  readonly #options: OtlpSamplesOptions;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #queue: Point[] = [];
  #wake: () => void = () => undefined;

  constructor(options: OtlpSamplesOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  send(sample: Sample): void {
    if (this.#queue.length >= maxQueued) {
      this.#options.onDropped(1);
      return;
    }
    this.#queue.push({ sample, time: hrTime(this.#options.clock.now()) });
    if (this.#queue.length === 1 || this.#queue.length === batchSize) this.#wake();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { exporter, onDropped, logger } = this.#options;
    while (await this.#untilDue()) {
      const batch = this.#queue.splice(0, batchSize);
      try {
        await exporter.export(gauges(batch));
      } catch (error) {
        onDropped(batch.length);
        logger.warn({ error: messageOf(error), dropped: batch.length }, "metrics could not be sent");
        if (!this.#stop.signal.aborted) continue;
        onDropped(this.#queue.length);
        return;
      }
    }
  }

  /** Waits until a batch is full or has waited long enough. Returns false if the exporter stops and no samples are left. */
  async #untilDue(): Promise<boolean> {
    const stop = this.#stop.signal;
    while (this.#queue.length === 0 && !stop.aborted) await this.#untilWoken();
    if (this.#queue.length < batchSize && !stop.aborted) {
      const linger = new AbortController();
      const waited = this.#options.clock
        .sleep(lingerMs, AbortSignal.any([stop, linger.signal]))
        .catch(() => undefined);
      await Promise.race([waited, this.#untilWoken()]);
      linger.abort();
    }
    return this.#queue.length > 0;
  }

  #untilWoken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

function gauges(batch: readonly Point[]): MetricData[] {
  const byName = Map.groupBy(batch, ({ sample }) => sample.metric);
  return [...byName].map(([name, points]) => ({
    descriptor: { name, description: "", unit: "", valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    dataPointType: DataPointType.GAUGE,
    dataPoints: points.map(({ sample, time }) => ({
      startTime: time,
      endTime: time,
      attributes: { ...sample.dimensions },
      value: sample.value,
    })),
  }));
}
