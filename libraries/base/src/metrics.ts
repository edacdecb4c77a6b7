import { collectDefaultMetrics, Counter as PromCounter, Gauge as PromGauge, Registry } from "prom-client";
import { longestTimerMs } from "./clock.ts";
import { replaceEventLoopLag } from "./event-loop-lag.ts";
import { HistogramCounts } from "./histogram-counts.ts";
import type { Exposition, MetricJson } from "./merged-metrics.ts";
import { histogramSeries, type MetricFamily } from "./metric-families.ts";

export type Labels<Label extends string> = Partial<Record<Label, string | number>>;

export interface Counter<Label extends string = never> {
  inc(labels?: Labels<Label>, value?: number): void;
}

export interface Gauge<Label extends string = never> {
  set(value: number, labels?: Labels<Label>): void;
  /** Removes the series with these labels. */
  remove(labels: Labels<Label>): void;
  /** Increments the series without labels. */
  inc(): void;
  dec(): void;
}

export interface Histogram<Label extends string = never> {
  observe(labels: Labels<Label>, value: number): void;
}

/**
 * Additional sample that listeners receive for each observation, under a separate metric name. Its value is 1 (`one`), the
 * observed value, or the observed seconds as integer milliseconds.
 */
export interface Emission {
  /** Metric name. `{label}` is replaced by the label's value. A label in the name is not sent as a dimension. */
  readonly metric: string;
  readonly value: "one" | "observed" | "milliseconds";
  /** Dimension names by label name. A label without an entry becomes a dimension with the label's name. */
  readonly dimensions?: Readonly<Record<string, string>>;
}

export interface Sample {
  readonly metric: string;
  readonly value: number;
  readonly dimensions: Readonly<Record<string, string>>;
  /** True if exporters must send the value as a floating-point number, even if it is an integer. */
  readonly isFraction?: boolean | undefined;
}

interface MetricSpec<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Label[];
  readonly emits?: readonly Emission[];
}

/** Metrics of one process. Components receive this object as a dependency. There is no global registry. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #exposedOnly = new Registry();
  readonly #process = new Registry();
  readonly #histograms = new Map<string, HistogramCounts>();
  readonly #listeners: ((sample: Sample) => void)[] = [];

  /** Adds Node.js metrics: memory, event loop, garbage collection. */
  includeProcess(): this {
    // Disables prom-client's sampling of the event loop lag by means of an interval of several weeks. `replaceEventLoopLag`
    // samples the lag instead.
    collectDefaultMetrics({ register: this.#process, eventLoopMonitoringPrecision: longestTimerMs });
    replaceEventLoopLag(this.#process);
    return this;
  }

  /** Calls `listener` for each observation of metrics with `emits`. The listener must not throw or wait. */
  listen(listener: (sample: Sample) => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Creates a counter. The series in `zeros` start at 0 immediately, so that alerts detect the first increment of each series.
   */
  counter<Label extends string = never>(
    spec: MetricSpec<Label>,
    zeros: () => Iterable<Labels<Label>> = () => [],
  ): Counter<Label> {
    const counter = new PromCounter({
      ...this.#configuration(spec),
      collect() {
        for (const labels of zeros()) this.inc(labels, 0);
      },
    });
    return {
      inc: (labels = {}, value = 1) => {
        counter.inc(labels, value);
        this.#emit(spec, labels, value);
      },
    };
  }

  gauge<Label extends string = never>(spec: MetricSpec<Label>): Gauge<Label> {
    const gauge = new PromGauge(this.#configuration(spec));
    let unlabelled = 0;
    const set = (value: number, labels: Labels<Label> = {}) => {
      gauge.set(labels, value);
      this.#emit(spec, labels, value);
    };
    const setUnlabelled = (value: number) => {
      unlabelled = value;
      set(value);
    };
    return {
      set: (value, labels) => (labels ? set(value, labels) : setUnlabelled(value)),
      remove: (labels) => gauge.remove(labels),
      inc: () => setUnlabelled(unlabelled + 1),
      dec: () => setUnlabelled(unlabelled - 1),
    };
  }

  /**
   * Creates a gauge with values that `read` returns at each scrape. `families` omits gauges with `exposedOnly`, because a
   * different exporter sends their values.
   */
  measuredGauge<Label extends string = never>(
    spec: MetricSpec<Label> & { readonly exposedOnly?: boolean },
    read: () => Iterable<{ readonly labels: Labels<Label>; readonly value: number }>,
  ): void {
    new PromGauge({
      ...this.#configuration(spec),
      registers: [spec.exposedOnly ? this.#exposedOnly : this.#registry],
      collect() {
        this.reset();
        for (const { labels, value } of read()) this.set(labels, value);
      },
    });
  }

  /** Creates a histogram. `buckets` are upper bounds in the unit at the end of the metric name. */
  histogram<Label extends string = never>(
    spec: MetricSpec<Label>,
    buckets: readonly number[],
  ): Histogram<Label> {
    const { name, help, labels: labelNames = [] } = spec;
    if (this.#histograms.has(name)) throw new Error(`a metric named ${name} has been made already`);
    const histogram = new HistogramCounts(name, help, buckets, labelNames);
    this.#histograms.set(name, histogram);
    return {
      observe: (labels, value) => {
        histogram.observe(labels, value);
        this.#emit(spec, labels, value);
      },
    };
  }

  /** Returns the Prometheus text exposition. */
  async expose(): Promise<Exposition> {
    const merged = Registry.merge([this.#registry, this.#exposedOnly, this.#process]);
    const texts = [...this.#histograms.values()].map((each) => `${each.expose()}\n`);
    return { contentType: merged.contentType, body: [await merged.metrics(), ...texts].join("\n") };
  }

  /** Returns all metrics in prom-client's JSON format, for `mergeMetrics` in a different process. */
  async json(): Promise<readonly MetricJson[]> {
    const registries = [this.#registry, this.#exposedOnly, this.#process];
    const all = await Promise.all(registries.map((each) => each.getMetricsAsJSON()));
    const own = all.flat().map(
      ({ name, help, type, aggregator, values }): MetricJson => ({
        name,
        help,
        type: `${type}`,
        aggregator,
        values,
      }),
    );
    return [...own, ...[...this.#histograms.values()].map((each) => each.json())];
  }

  /** Returns all metrics with their values, for exporters. */
  async families(): Promise<readonly MetricFamily[]> {
    const all = await Promise.all([this.#registry.getMetricsAsJSON(), this.#process.getMetricsAsJSON()]);
    const made = [...this.#histograms.values()].map((each) => each.family());
    const others: readonly MetricFamily[] = all.flat().map(({ name, help, type, values }) => {
      const lines = values.map((each) => ({
        name: nameOf(each, name),
        labels: textsOf(each.labels),
        value: each.value,
      }));
      return `${type}` === "histogram"
        ? { kind: "histogram", name, help, series: histogramSeries(lines) }
        : { kind: `${type}` === "counter" ? "counter" : "gauge", name, help, series: lines };
    });
    return [...others, ...made];
  }

  /** Returns the Node.js metrics as samples with their Prometheus names. */
  async processSamples(): Promise<readonly Sample[]> {
    const families = await this.#process.getMetricsAsJSON();
    return families.flatMap(({ name, values }) =>
      values.map((each) => ({
        metric: nameOf(each, name),
        value: each.value,
        dimensions: textsOf(each.labels),
        isFraction: true,
      })),
    );
  }

  #configuration<Label extends string>({ name, help, labels = [] }: MetricSpec<Label>) {
    return { name, help, labelNames: [...labels], registers: [this.#registry] };
  }

  #emit({ emits }: MetricSpec<string>, labels: Labels<string>, observed: number): void {
    if (!emits || this.#listeners.length === 0) return;
    for (const { metric, value, dimensions: renamed = {} } of emits) {
      const dimensions = textsOf(labels, renamed);
      const name = metric.replace(/\{(\w+)\}/g, (_, label: string) => {
        delete dimensions[label];
        return `${labels[label] ?? ""}`;
      });
      const sample = { metric: name, value: emitted(value, observed), dimensions };
      for (const listener of this.#listeners) listener(sample);
    }
  }
}

function emitted(value: Emission["value"], observed: number): number {
  if (value === "one") return 1;
  return value === "milliseconds" ? Math.round(observed * 1000) : observed;
}

/** Returns the metric name of a value. The buckets, sum and count of a histogram have different names. */
function nameOf(value: object, name: string): string {
  return "metricName" in value && typeof value.metricName === "string" ? value.metricName : name;
}

function textsOf(
  labels: Readonly<Record<string, string | number | undefined>>,
  renamed: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(labels)) {
    if (value !== undefined) texts[renamed[name] ?? name] = `${value}`;
  }
  return texts;
}
