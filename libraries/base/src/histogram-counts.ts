import type { HistogramSeries, LabelTexts, MetricFamily } from "./metric-families.ts";

interface Counted {
  readonly labels: LabelTexts;
  /** Of each bucket alone, then of what is beyond the last bound, then the sum of what was observed. */
  readonly counts: number[];
}

/**
 * A histogram of Prometheus in a few hundred bytes for each combination of labels: prom-client keeps an object with a member
 * for each bound, and where bounds are whole numbers an array as long as the largest, for every one of thousands.
 */
export class HistogramCounts {
  readonly #name: string;
  readonly #help: string;
  readonly #bounds: readonly number[];
  readonly #labelNames: readonly string[];
  readonly #series = new Map<string, Counted>();

  /** `bounds` are upper ones, in rising order. */
  constructor(name: string, help: string, bounds: readonly number[], labelNames: readonly string[]) {
    this.#name = name;
    this.#help = help;
    this.#bounds = bounds;
    this.#labelNames = labelNames;
    if (labelNames.length === 0) this.#counts({});
  }

  /** @throws Error for a label that the histogram does not have */
  observe(labels: Readonly<Record<string, string | number | undefined>>, value: number): void {
    for (const name in labels)
      if (!this.#labelNames.includes(name))
        throw new Error(`the histogram ${this.#name} has no label ${name}`);
    const counts = this.#counts(labels);
    const bucket = this.#bounds.findIndex((bound) => value <= bound);
    const at = bucket < 0 ? this.#bounds.length : bucket;
    counts[at] = (counts[at] ?? 0) + 1;
    const sum = this.#bounds.length + 1;
    counts[sum] = (counts[sum] ?? 0) + value;
  }

  family(): MetricFamily {
    const bounds = this.#bounds;
    const series = [...this.#series.values()].map(({ labels, counts: all }): HistogramSeries => {
      const counts = all.slice(0, bounds.length + 1);
      const count = counts.reduce((total, each) => total + each, 0);
      return { labels, bounds, counts, sum: all[bounds.length + 1] ?? 0, count };
    });
    return { kind: "histogram", name: this.#name, help: this.#help, series };
  }

  /** In the text format of Prometheus. */
  expose(): string {
    const name = this.#name;
    const lines = [`# HELP ${name} ${escaped(this.#help, /[\\\n]/g)}`, `# TYPE ${name} histogram`];
    for (const { labels, counts } of this.#series.values()) {
      const text = Object.entries(labels)
        .map(([label, value]) => `${label}="${escaped(value, /[\\\n"]/g)}"`)
        .join(",");
      let total = 0;
      for (const [at, le] of [...this.#bounds, "+Inf"].entries()) {
        total += counts[at] ?? 0;
        lines.push(`${name}_bucket{le="${le}"${text && `,${text}`}} ${total}`);
      }
      const braces = text && `{${text}}`;
      const sum = counts[this.#bounds.length + 1] ?? 0;
      lines.push(`${name}_sum${braces} ${sum}`, `${name}_count${braces} ${total}`);
    }
    return lines.join("\n");
  }

  #counts(given: Readonly<Record<string, string | number | undefined>>): number[] {
    const values = this.#labelNames.map((name) => given[name]);
    const key = JSON.stringify(values);
    const known = this.#series.get(key);
    if (known) return known.counts;
    const named = this.#labelNames.flatMap((name, at) => {
      const value = values[at];
      return value === undefined ? [] : [[name, `${value}`] as const];
    });
    const counts = Array<number>(this.#bounds.length + 2).fill(0);
    this.#series.set(key, { labels: Object.fromEntries(named), counts });
    return counts;
  }
}

function escaped(text: string, characters: RegExp): string {
  return text.replace(characters, (each) => (each === "\n" ? "\\n" : `\\${each}`));
}
