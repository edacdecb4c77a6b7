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
  /** Of these labels there is no value any more. */
  remove(labels: Labels<Label>): void;
  /** Of the gauge without labels. */
  inc(): void;
  dec(): void;
}

export interface Histogram<Label extends string = never> {
  observe(labels: Labels<Label>, value: number): void;
}

/**
 * How a listener hears of one observation, under a name of its own: with the value `one`, with the observed
 * value, or with that in whole milliseconds where it is in seconds.
 */
export interface Emission {
  /** `{label}` stands for the value of a label, which is then no dimension. */
  readonly metric: string;
  readonly value: "one" | "observed" | "milliseconds";
  /** Names of labels where they differ. */
  readonly dimensions?: Readonly<Record<string, string>>;
}

export interface Sample {
  readonly metric: string;
  readonly value: number;
  readonly dimensions: Readonly<Record<string, string>>;
  /** True for a figure that is sent as a fraction even when it happens to be whole. */
  readonly isFraction?: boolean;
}

interface MetricSpec<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Label[];
  readonly emits?: readonly Emission[];
}

/** The metrics of one process. Components get it injected; nothing registers globally. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #exposedOnly = new Registry();
  readonly #process = new Registry();
  readonly #histograms = new Map<string, HistogramCounts>();
  readonly #listeners: ((sample: Sample) => void)[] = [];

  /** Node's own figures (memory, event loop, garbage collection) as well as those made below. */
  includeProcess(): this {
    // Sampling that never happens: `replaceEventLoopLag` samples.
    collectDefaultMetrics({ register: this.#process, eventLoopMonitoringPrecision: longestTimerMs });
    replaceEventLoopLag(this.#process);
    return this;
  }

  /** Called for every observation of metrics that have `emits`. A listener never throws and never waits. */
  listen(listener: (sample: Sample) => void): void {
    this.#listeners.push(listener);
  }

  /** What `zeros` gives, each time the figures are asked for, is there before anything is counted: alerts see the first then. */
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
   * A gauge whose values are read each time the figures are asked for. `exposedOnly` is for what goes elsewhere on its own way: it is
   * in the exposition, and not in `families`.
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

  /** `buckets` are upper bounds in the unit the name ends with. */
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

  /** The Prometheus text exposition. */
  async expose(): Promise<Exposition> {
    const merged = Registry.merge([this.#registry, this.#exposedOnly, this.#process]);
    const texts = [...this.#histograms.values()].map((each) => `${each.expose()}\n`);
    return { contentType: merged.contentType, body: [await merged.metrics(), ...texts].join("\n") };
  }

  /** All metrics in the JSON form of prom-client, for `mergeMetrics` in a different process. */
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

  /** All metrics with their values, for what sends them elsewhere. */
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

  /** Node's own figures as samples, under their Prometheus names. */
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

/** Buckets and sums of a histogram bear names of their own. */
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
