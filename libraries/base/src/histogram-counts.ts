import type { MetricJson } from "./merged-metrics.ts";
import type { HistogramSeries, LabelTexts, MetricFamily } from "./metric-families.ts";

/**
 * Prometheus histogram that uses a few hundred bytes per label combination. The histogram of prom-client needs more: it stores
 * the counts in an object with the bounds as keys. With integer bounds, V8 stores this object as an array that is as long as the
 * largest bound.
 */
export class HistogramCounts {
  readonly #name: string;
  readonly #help: string;
  readonly #bounds: readonly number[];
  readonly #labelNames: readonly string[];
  /**
   * Series by label values (JSON). Each array contains the sum of the observations, and then the number of observations in each
   * bucket, not cumulative. Trailing zeros are omitted.
   */
  readonly #series = new Map<string, number[]>();

  /** Creates a histogram. `bounds` are the upper bounds of the buckets in ascending order. */
  constructor(name: string, help: string, bounds: readonly number[], labelNames: readonly string[]) {
    this.#name = name;
    this.#help = help;
    this.#bounds = bounds;
    this.#labelNames = labelNames;
    if (labelNames.length === 0) this.#series.set("[]", [0]);
  }

  /** Records an observation. @throws Error for an unknown label */
  observe(labels: Readonly<Record<string, string | number | undefined>>, value: number): void {
    for (const name in labels)
      if (!this.#labelNames.includes(name))
        throw new Error(`the histogram ${this.#name} has no label ${name}`);
    const bucket = this.#bounds.findIndex((bound) => value <= bound);
    const at = 1 + (bucket < 0 ? this.#bounds.length : bucket);
    const key = JSON.stringify(this.#labelNames.map((name) => labels[name]));
    let counted = this.#series.get(key) ?? [0];
    // Allocates the exact length, because a growing array reserves more memory than it needs.
    if (at >= counted.length) counted = Array.from({ length: at + 1 }, (_, each) => counted[each] ?? 0);
    counted[at] = (counted[at] ?? 0) + 1;
    counted[0] = (counted[0] ?? 0) + value;
    this.#series.set(key, counted);
  }

  family(): MetricFamily {
    const bounds = this.#bounds;
    const series = [...this.#series].map(([key, [sum = 0, ...counted]]): HistogramSeries => {
      const counts = Array.from({ length: bounds.length + 1 }, (_, at) => counted[at] ?? 0);
      const count = counts.reduce((total, each) => total + each, 0);
      return { labels: this.#labelsOf(key), bounds, counts, sum, count };
    });
    return { kind: "histogram", name: this.#name, help: this.#help, series };
  }

  /** Returns the values in prom-client's JSON format, to merge them with the values of other processes. */
  json(): MetricJson {
    const name = this.#name;
    const values = [...this.#series].flatMap(([key, [sum = 0, ...counted]]) => {
      const labels = this.#labelsOf(key);
      let total = 0;
      const buckets = [...this.#bounds, "+Inf"].map((le, at) => {
        total += counted[at] ?? 0;
        return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: total };
      });
      return [
        ...buckets,
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: total },
      ];
    });
    return { name, help: this.#help, type: "histogram", aggregator: "sum", values };
  }

  /** Returns the metric in the Prometheus text format. */
  expose(): string {
    const name = this.#name;
    const lines = [`# HELP ${name} ${escaped(this.#help, /[\\\n]/g)}`, `# TYPE ${name} histogram`];
    for (const [key, [sum = 0, ...counted]] of this.#series) {
      const text = Object.entries(this.#labelsOf(key))
        .map(([label, value]) => `${label}="${escaped(value, /[\\\n"]/g)}"`)
        .join(",");
      let total = 0;
      for (const [at, le] of [...this.#bounds, "+Inf"].entries()) {
        total += counted[at] ?? 0;
        lines.push(`${name}_bucket{le="${le}"${text && `,${text}`}} ${total}`);
      }
      const braces = text && `{${text}}`;
      lines.push(`${name}_sum${braces} ${sum}`, `${name}_count${braces} ${total}`);
    }
    return lines.join("\n");
  }

  #labelsOf(key: string): LabelTexts {
    const values: unknown[] = JSON.parse(key);
    const named = this.#labelNames.map((name, at) => [name, values[at]] as const);
    // Labels without a value are null in the stored series. The returned object omits these labels.
    return Object.fromEntries(
      named.filter(([, value]) => value !== null).map(([name, value]) => [name, `${value}`]),
    );
  }
}

function escaped(text: string, characters: RegExp): string {
  return text.replace(characters, (each) => (each === "\n" ? "\\n" : `\\${each}`));
}
