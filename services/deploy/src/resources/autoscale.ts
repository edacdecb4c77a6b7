import { call, concat, type Expression, groupLocation, type Value } from "../template/expression.ts";
import { idOf, type Resource } from "../template/template.ts";

export const autoscaleType = "Microsoft.Insights/autoscaleSettings";

/** Returns the name of a scale set's autoscale settings. */
export function autoscaleName(set: Resource): Value {
  return concat(...set.name, autoscaleSuffix);
}

export const autoscaleSuffix = "-autoscale";

/** Returns autoscale settings that add a machine above 66 % CPU and remove a machine below 40 % CPU. */
export function cpuAutoscale(name: Value, set: Resource, least: Expression, most: number): Resource {
  const rule = (operator: "GreaterThan" | "LessThan", threshold: number) => ({
    metricTrigger: {
      metricName: "Percentage CPU",
      metricNamespace: "",
      metricResourceUri: idOf(set),
      operator,
      statistic: "Average",
      threshold,
      timeAggregation: "Average",
      timeGrain: "PT1M",
      timeWindow: "PT10M",
    },
    scaleAction: {
      direction: operator === "GreaterThan" ? "Increase" : "Decrease",
      type: "ChangeCount",
      value: "1",
      cooldown: "PT10M",
    },
  });
  return {
    type: autoscaleType,
    name: [name],
    location: groupLocation,
    dependsOn: [idOf(set)],
    properties: {
      enabled: true,
      targetResourceUri: idOf(set),
      profiles: [
        {
          name: "default",
          capacity: { minimum: call("string", least), maximum: String(most), default: call("string", least) },
          rules: [rule("GreaterThan", 66), rule("LessThan", 40)],
        },
      ],
    },
  };
}
