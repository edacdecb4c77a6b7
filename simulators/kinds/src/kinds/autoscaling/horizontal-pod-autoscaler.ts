import { numberOrZeroAt, scalarStringAt } from "@keelson/apimachinery";
import { isPlainObject, listAt, objectAt, valueAt } from "@keelson/base";
import { atLeast } from "../../catalogue/checks.ts";
import { counts } from "../../catalogue/facts/replica-status.ts";
import type { Findings } from "../../catalogue/findings.ts";
import type { FieldChecks, Fields } from "../../catalogue/type-facts.ts";
import { ageColumn, count, declared, nameColumn, text } from "../../columns/column.ts";
import type { Kind } from "../kind.ts";
import { autoscalerToV1, autoscalerToV2 } from "./convert-autoscaler.ts";
import { autoscalingChecks, scaleTarget, utilizationOfV1, zeroNeedsOthers } from "./metric-checks.ts";

const cpuUtilization = {
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } },
};
const scaleUp = {
  stabilizationWindowSeconds: 0,
  selectPolicy: "Max",
  policies: [
    { type: "Pods", value: 4, periodSeconds: 15 },
    { type: "Percent", value: 100, periodSeconds: 15 },
  ],
};
const scaleDown = { selectPolicy: "Max", policies: [{ type: "Percent", value: 100, periodSeconds: 15 }] };
const specChecks: readonly FieldChecks[] = [
  ["minReplicas", atLeast(1)],
  ["maxReplicas", requiredPositive],
  ["", maxNotBelowMin],
  ["scaleTargetRef", scaleTarget],
];

/**
 * Built-in kind HorizontalPodAutoscaler. Source of its rules: kubernetes pkg/apis/autoscaling/{v1,v2}/defaults.go and
 * pkg/apis/autoscaling/validation/validation.go.
 */
export const horizontalPodAutoscaler: Kind = {
  group: "autoscaling",
  versions: ["v2", "v1"],
  kind: "HorizontalPodAutoscaler",
  plural: "horizontalpodautoscalers",
  shortNames: ["hpa"],
  categories: ["all"],
  namespaced: true,
  subresources: { status: {} },
  convertTo: { "autoscaling/v1": autoscalerToV1, "autoscaling/v2": autoscalerToV2 },
  columns: [
    nameColumn,
    text("Reference", (object) => {
      const target = valueAt(object, "spec", "scaleTargetRef");
      return `${scalarStringAt(target, "kind")}/${scalarStringAt(target, "name")}`;
    }),
    text("Targets", (object) => targets(object)),
    text("MinPods", (object) => String(valueAt(object, "spec", "minReplicas") ?? "<unset>")),
    declared("string", count("MaxPods", "spec.maxReplicas")),
    declared("string", count("Replicas", "status.currentReplicas")),
    ageColumn,
  ],
  types: {
    defaults: `
autoscaling.v1.HorizontalPodAutoscaler status={}
autoscaling.v1.HorizontalPodAutoscalerSpec minReplicas=1
autoscaling.v1.HorizontalPodAutoscalerStatus currentReplicas=0 desiredReplicas=0
autoscaling.v2.HorizontalPodAutoscaler status={}
autoscaling.v2.HorizontalPodAutoscalerSpec minReplicas=1
autoscaling.v2.HorizontalPodAutoscalerStatus desiredReplicas=0 currentMetrics=null
`,
    derived: {
      "autoscaling.v2.HorizontalPodAutoscalerSpec": (spec) =>
        listAt(spec, "metrics").length > 0 ? spec : { ...spec, metrics: [cpuUtilization] },
      "autoscaling.v2.HorizontalPodAutoscalerBehavior": (behavior): Fields => ({
        scaleUp: { ...scaleUp, ...objectAt(behavior, "scaleUp") },
        scaleDown: { ...scaleDown, ...objectAt(behavior, "scaleDown") },
      }),
    },
    unchecked: ["autoscaling.v2.MetricIdentifier.selector"],
    checks: {
      "autoscaling.v1.HorizontalPodAutoscalerStatus": counts("currentReplicas", "desiredReplicas"),
      "autoscaling.v2.HorizontalPodAutoscalerStatus": counts("currentReplicas", "desiredReplicas"),
      "autoscaling.v1.HorizontalPodAutoscalerSpec": [...specChecks, ["", utilizationOfV1, zeroNeedsOthers]],
      "autoscaling.v2.HorizontalPodAutoscalerSpec": [
        ...specChecks,
        ["metrics"],
        ["", zeroNeedsOthers],
        ["behavior"],
      ],
      ...autoscalingChecks,
    },
    mergeKeys: `
autoscaling.v2.HorizontalPodAutoscalerStatus conditions=type
`,
    ownership: `
autoscaling.v2.HorizontalPodAutoscalerStatus conditions=type
autoscaling.v1.CrossVersionObjectReference =!
`,
    protobuf: `
autoscaling.v1.CrossVersionObjectReference kind=1* name=2* apiVersion=3
autoscaling.v1.HorizontalPodAutoscaler metadata=1 spec=2 status=3
autoscaling.v1.HorizontalPodAutoscalerSpec scaleTargetRef=1 minReplicas=2* maxReplicas=3* targetCPUUtilizationPercentage=4*
autoscaling.v1.HorizontalPodAutoscalerStatus observedGeneration=1* lastScaleTime=2 currentReplicas=3* desiredReplicas=4* currentCPUUtilizationPercentage=5*
autoscaling.v2.ContainerResourceMetricSource name=1* target=2 container=3*
autoscaling.v2.ContainerResourceMetricStatus name=1* current=2 container=3*
autoscaling.v2.CrossVersionObjectReference kind=1* name=2* apiVersion=3
autoscaling.v2.ExternalMetricSource metric=1 target=2
autoscaling.v2.ExternalMetricStatus metric=1 current=2
autoscaling.v2.HPAScalingPolicy type=1* value=2* periodSeconds=3*
autoscaling.v2.HPAScalingRules stabilizationWindowSeconds=3* selectPolicy=1* policies=2 tolerance=4
autoscaling.v2.HorizontalPodAutoscaler metadata=1 spec=2 status=3
autoscaling.v2.HorizontalPodAutoscalerBehavior scaleUp=1 scaleDown=2
autoscaling.v2.HorizontalPodAutoscalerCondition type=1* status=2* lastTransitionTime=3 reason=4 message=5
autoscaling.v2.HorizontalPodAutoscalerSpec scaleTargetRef=1 minReplicas=2* maxReplicas=3* metrics=4 behavior=5
autoscaling.v2.HorizontalPodAutoscalerStatus observedGeneration=1* lastScaleTime=2 currentReplicas=3 desiredReplicas=4* currentMetrics=5 conditions=6
autoscaling.v2.MetricIdentifier name=1* selector=2
autoscaling.v2.MetricSpec type=1* object=2 pods=3 resource=4 containerResource=7 external=5
autoscaling.v2.MetricStatus type=1* object=2 pods=3 resource=4 containerResource=7 external=5
autoscaling.v2.MetricTarget type=1* value=2 averageValue=3 averageUtilization=4*
autoscaling.v2.MetricValueStatus value=1 averageValue=2 averageUtilization=3*
autoscaling.v2.ObjectMetricSource describedObject=1 target=2 metric=3
autoscaling.v2.ObjectMetricStatus metric=1 current=2 describedObject=3
autoscaling.v2.PodsMetricSource metric=1 target=2
autoscaling.v2.PodsMetricStatus metric=1 current=2
autoscaling.v2.ResourceMetricSource name=1* target=2
autoscaling.v2.ResourceMetricStatus name=1* current=2
`,
  },
};

function target(metric: unknown, current: unknown): string {
  const type = scalarStringAt(metric, "type");
  const member = type.charAt(0).toLowerCase() + type.slice(1);
  const wanted = valueAt(metric, member, "target");
  const name =
    type === "Resource" || type === "ContainerResource" ? `${scalarStringAt(metric, member, "name")}: ` : "";
  const now = value(valueAt(current, member, "current")) ?? "<unknown>";
  const average = type !== "Resource" && valueAt(wanted, "averageValue") !== undefined ? " (avg)" : "";
  return `${name}${now}/${value(wanted) ?? "<auto>"}${average}`;
}

function value(metric: unknown): string | undefined {
  if (!isPlainObject(metric)) return undefined;
  if (metric.averageUtilization !== undefined) return `${numberOrZeroAt(metric, "averageUtilization")}%`;
  return scalarStringAt(metric, "averageValue") || scalarStringAt(metric, "value") || undefined;
}

/** Formats the targets of the first two metrics, such as `cpu: 12%/80%`. autoscaling/v1 has only the metric cpu. */
function targets(autoscaler: unknown): string {
  const cpu = valueAt(autoscaler, "spec", "targetCPUUtilizationPercentage");
  if (cpu !== undefined) {
    const current = valueAt(autoscaler, "status", "currentCPUUtilizationPercentage");
    return `cpu: ${current === undefined ? "<unknown>" : `${current}%`}/${cpu}%`;
  }
  const metrics = listAt(autoscaler, "spec", "metrics");
  if (metrics.length === 0) return "<none>";
  const current = listAt(autoscaler, "status", "currentMetrics");
  const shown = metrics.slice(0, 2).map((metric, index) => target(metric, current[index]));
  return shown.join(", ") + (metrics.length > 2 ? ` + ${metrics.length - 2} more...` : "");
}

function requiredPositive(value: unknown, findings: Findings): void {
  if (value === undefined || value === 0) findings.required("must be set and greater than 0");
  else atLeast(1)(value, findings);
}

function maxNotBelowMin(spec: unknown, findings: Findings): void {
  const [most, least] = [valueAt(spec, "maxReplicas") ?? 0, valueAt(spec, "minReplicas")];
  if (typeof most === "number" && typeof least === "number" && most < least)
    findings.invalid(most, "must be greater than or equal to `minReplicas`", "maxReplicas");
}
