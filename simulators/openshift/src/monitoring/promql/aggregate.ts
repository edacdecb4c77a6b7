import { errors } from "../../base/errors.ts";
import type { Grouping } from "./expression.ts";
import { type Labels, labelKey, only, type Sample, without } from "./series.ts";

type Reduce = (values: readonly number[]) => number;

const sum: Reduce = (values) => values.reduce((total, value) => total + value, 0);
const mean: Reduce = (values) => sum(values) / values.length;
const variance: Reduce = (values) => {
  const middle = mean(values);
  return mean(values.map((value) => (value - middle) ** 2));
};

const reductions: Readonly<Record<string, Reduce>> = {
  sum,
  avg: mean,
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
  count: (values) => values.length,
  group: () => 1,
  stdvar: variance,
  stddev: (values) => Math.sqrt(variance(values)),
};

/** Applies an aggregation operator. @throws BadQuery if the operator is not supported or lacks its parameter */
export function aggregate(
  operator: string,
  samples: readonly Sample[],
  grouping: Grouping,
  parameter: number | undefined,
): readonly Sample[] {
  const groups = Map.groupBy(samples, ({ labels }) => labelKey(groupLabels(labels, grouping)));
  const reduce = Object.hasOwn(reductions, operator) ? reductions[operator] : undefined;
  if (reduce) {
    return [...groups.values()].map((group) => ({
      labels: groupLabels(group[0]?.labels ?? {}, grouping),
      value: reduce(group.map(({ value }) => value)),
    }));
  }
  if (operator !== "topk" && operator !== "bottomk" && operator !== "quantile")
    throw errors.BadQuery(`the aggregation ${operator} is not supported by the simulated Prometheus`);
  if (parameter === undefined) throw errors.BadQuery(`${operator} needs a number before its vector`);
  if (operator === "quantile") {
    return [...groups.values()].map((group) => ({
      labels: groupLabels(group[0]?.labels ?? {}, grouping),
      value: quantile(
        parameter,
        group.map(({ value }) => value),
      ),
    }));
  }
  const sign = operator === "topk" ? -1 : 1;
  return [...groups.values()].flatMap((group) =>
    group.toSorted((a, b) => sign * (a.value - b.value)).slice(0, Math.max(0, Math.trunc(parameter))),
  );
}

/** Returns the labels that identify the group of a sample. The metric name is never one of them. */
export function groupLabels(labels: Labels, { only: isOnly, labels: names }: Grouping): Labels {
  return isOnly ? only(labels, names) : without(labels, [...names, "__name__"]);
}

function quantile(share: number, values: readonly number[]): number {
  if (share < 0) return -Infinity;
  if (share > 1) return Infinity;
  const sorted = values.toSorted((a, b) => a - b);
  const rank = share * (sorted.length - 1);
  const below = sorted[Math.floor(rank)] ?? Number.NaN;
  return below + ((sorted[Math.ceil(rank)] ?? below) - below) * (rank % 1);
}
