import type { Expression, Value } from "../template/expression.ts";
import type { Resource } from "../template/template.ts";

export interface MetricAlert {
  readonly name: Value;
  readonly of: Expression;
  readonly ofType: string;
  readonly metric: string;
  /** Dimension values by which the metric is filtered. */
  readonly dimensions?: Readonly<Record<string, string>>;
  readonly operator: "LessThan" | "GreaterThan";
  readonly threshold: number;
  readonly aggregation: "Average" | "Total";
  /** Severity from 0 (critical) to 4 (verbose). */
  readonly severity: 0 | 1 | 2 | 3 | 4;
  /** Evaluation interval and time window, as ISO 8601 durations. */
  readonly every: string;
  readonly over: string;
  readonly actionGroupId: Expression;
  readonly dependsOn: readonly Expression[];
  readonly condition?: Expression;
}

export function metricAlert(alert: MetricAlert): Resource {
  return {
    type: "Microsoft.Insights/metricAlerts",
    name: [alert.name],
    location: "global",
    dependsOn: alert.dependsOn,
    ...(alert.condition ? { condition: alert.condition } : {}),
    properties: {
      enabled: true,
      autoMitigate: true,
      severity: alert.severity,
      scopes: [alert.of],
      targetResourceType: alert.ofType,
      evaluationFrequency: alert.every,
      windowSize: alert.over,
      criteria: {
        "odata.type": "Microsoft.Azure.Monitor.SingleResourceMultipleMetricCriteria",
        allOf: [
          {
            criterionType: "StaticThresholdCriterion",
            name: "criterion",
            metricNamespace: alert.ofType.toLowerCase(),
            metricName: alert.metric,
            ...(alert.dimensions
              ? {
                  dimensions: Object.entries(alert.dimensions).map(([name, value]) => ({
                    name,
                    operator: "Include",
                    values: [value],
                  })),
                }
              : {}),
            operator: alert.operator,
            threshold: alert.threshold,
            timeAggregation: alert.aggregation,
          },
        ],
      },
      actions: [{ actionGroupId: alert.actionGroupId }],
    },
  };
}

/** Returns the action group of alerts. `emailReceivers` is an array. */
export function actionGroup(name: string, shortName: string, emailReceivers: Expression): Resource {
  return {
    type: "Microsoft.Insights/actionGroups",
    name: [name],
    location: "global",
    properties: { enabled: true, groupShortName: shortName, emailReceivers },
  };
}
