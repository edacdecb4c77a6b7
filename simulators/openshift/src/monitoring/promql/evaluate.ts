import { errors } from "../../base/errors.ts";
import { aggregate } from "./aggregate.ts";
import { combine, type Value } from "./binary.ts";
import type { Expression, Matcher, Selector } from "./expression.ts";
import { histogramQuantile } from "./histogram-quantile.ts";
import { type Point, rangeFunctions } from "./range-functions.ts";
import { matchesAll, type Sample, type Series, without } from "./series.ts";

/** Scrape interval of the simulated Prometheus in milliseconds. */
const scrapeMs = 30_000;
/** Milliseconds after which a sample is stale. */
const stalenessMs = 300_000;
/** Maximum number of sample reads per query, including all steps. */
const maxReads = 1_000_000;

/** Evaluates one expression at one or more times over the series of a cluster. */
export class Evaluation {
  readonly #series: readonly Series[];
  readonly #selected = new Map<readonly Matcher[], readonly Series[]>();
  #reads = 0;

  constructor(series: readonly Series[]) {
    this.#series = series;
  }

  /** Evaluates an expression at one time. @throws BadQuery for unsupported expressions or too many samples */
  at(expression: Expression, ms: number): Value {
    const evaluate = (each: Expression) => this.at(each, ms);
    switch (expression.kind) {
      case "number":
        return expression.value;
      case "selector":
        if (expression.selector.rangeMs !== undefined)
          throw errors.BadQuery("a range of samples is not a value: use a function such as rate");
        return this.#instant(expression.selector, ms);
      case "negation": {
        const value = evaluate(expression.operand);
        return typeof value === "number" ? -value : mapped(value, (each) => -each);
      }
      case "aggregation": {
        const { operator, operand, grouping, parameter } = expression;
        const limit = parameter && evaluate(parameter);
        if (limit !== undefined && typeof limit !== "number")
          throw errors.BadQuery(`${operator} needs a number`);
        return aggregate(operator, vector(evaluate(operand)), grouping, limit);
      }
      case "binary":
        return combine(expression, evaluate(expression.left), evaluate(expression.right));
      case "call":
        return this.#call(expression.name, expression.args, ms);
    }
  }

  #call(name: string, args: readonly Expression[], ms: number): Value {
    const overRange = Object.hasOwn(rangeFunctions, name) ? rangeFunctions[name] : undefined;
    const [first, ...rest] = args;
    if (overRange) {
      if (first?.kind !== "selector" || first.selector.rangeMs === undefined || rest.length > 0)
        throw errors.BadQuery(`${name} accepts one range of samples`);
      const { rangeMs, offsetMs } = first.selector;
      const toMs = ms - offsetMs;
      const range = { fromMs: toMs - rangeMs, toMs };
      return this.#select(first.selector).flatMap((series): Sample[] => {
        const value = overRange(this.#points(series, range.fromMs, toMs), range);
        return value === undefined ? [] : [{ labels: without(series.labels, ["__name__"]), value }];
      });
    }
    const values = args.map((each) => this.at(each, ms));
    return callInstant(name, values, ms);
  }

  #instant(selector: Selector, ms: number): readonly Sample[] {
    const { offsetMs } = selector;
    return this.#select(selector).flatMap((series) => {
      const value = this.#latest(series, ms - offsetMs);
      return value === undefined ? [] : [{ labels: series.labels, value }];
    });
  }

  /** Returns the newest scraped value. `undefined` if it is stale. */
  #latest(series: Series, ms: number): number | undefined {
    const scraped = Math.floor(ms / scrapeMs) * scrapeMs;
    for (let at = scraped; at > ms - stalenessMs; at -= scrapeMs) {
      const value = this.#read(series, at);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  #points(series: Series, fromMs: number, toMs: number): readonly Point[] {
    const points: Point[] = [];
    for (let ms = (Math.floor(fromMs / scrapeMs) + 1) * scrapeMs; ms <= toMs; ms += scrapeMs) {
      const value = this.#read(series, ms);
      if (value !== undefined) points.push({ ms, value });
    }
    return points;
  }

  #read(series: Series, ms: number): number | undefined {
    if (++this.#reads > maxReads)
      throw errors.BadQuery("query processing would load too many samples into memory in query execution");
    return series.at(ms);
  }

  #select({ matchers }: Selector): readonly Series[] {
    const known = this.#selected.get(matchers);
    if (known) return known;
    const found = this.#series.filter(({ labels }) => matchesAll(labels, matchers));
    this.#selected.set(matchers, found);
    return found;
  }
}

const roundings: Readonly<Record<string, (value: number) => number>> = {
  abs: Math.abs,
  ceil: Math.ceil,
  floor: Math.floor,
  sqrt: Math.sqrt,
  exp: Math.exp,
  ln: Math.log,
  log2: Math.log2,
  log10: Math.log10,
};

function callInstant(name: string, values: readonly Value[], ms: number): Value {
  const [first, second] = values;
  const round = Object.hasOwn(roundings, name) ? roundings[name] : undefined;
  if (round && first !== undefined) return mapped(vector(first), round);
  if (name === "time" && first === undefined) return ms / 1_000;
  if (first === undefined) throw errors.BadQuery(`${name} needs an argument`);
  switch (name) {
    case "histogram_quantile":
      return histogramQuantile(scalar(first), vector(second ?? []));
    case "clamp_min":
      return mapped(vector(first), (value) => Math.max(value, scalar(second)));
    case "clamp_max":
      return mapped(vector(first), (value) => Math.min(value, scalar(second)));
    case "round": {
      const to = second === undefined ? 1 : scalar(second);
      return mapped(vector(first), (value) => Math.round(value / to) * to);
    }
    case "vector":
      return [{ labels: {}, value: scalar(first) }];
    case "scalar": {
      const [only, ...others] = vector(first);
      return only && others.length === 0 ? only.value : Number.NaN;
    }
    case "absent":
      return vector(first).length === 0 ? [{ labels: {}, value: 1 }] : [];
    case "sort":
      return vector(first).toSorted((a, b) => a.value - b.value);
    case "sort_desc":
      return vector(first).toSorted((a, b) => b.value - a.value);
    default:
      throw errors.BadQuery(`the function ${name} is not supported by the simulated Prometheus`);
  }
}

function mapped(samples: readonly Sample[], change: (value: number) => number): readonly Sample[] {
  return samples.map(({ labels, value }) => ({
    labels: without(labels, ["__name__"]),
    value: change(value),
  }));
}

function vector(value: Value): readonly Sample[] {
  if (typeof value !== "number") return value;
  throw errors.BadQuery("expected a vector, got a scalar");
}

function scalar(value: Value | undefined): number {
  if (typeof value === "number") return value;
  throw errors.BadQuery("expected a scalar, got a vector");
}
