import { arrayAt, recordAt, valueAt } from "../../json/access.ts";
import { atLeast } from "../checks.ts";
import type { Findings } from "../findings.ts";
import { autoscalingChecks, scaleTarget, utilizationOfV1, zeroNeedsOthers } from "./autoscaling-rules.ts";
import type { FieldChecks, Fields, GroupFacts } from "./group-facts.ts";
import { counts } from "./replica-status.ts";

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

/** Facts: kubernetes pkg/apis/autoscaling/{v1,v2}/defaults.go and pkg/apis/autoscaling/validation/validation.go. */
export const autoscalingFacts: GroupFacts = {
  defaults: `
autoscaling.v1.HorizontalPodAutoscaler status={}
autoscaling.v1.HorizontalPodAutoscalerSpec minReplicas=1
autoscaling.v1.HorizontalPodAutoscalerStatus currentReplicas=0 desiredReplicas=0
autoscaling.v2.HorizontalPodAutoscaler status={}
autoscaling.v2.HorizontalPodAutoscalerSpec minReplicas=1
autoscaling.v2.HorizontalPodAutoscalerStatus desiredReplicas=0
`,
  derived: {
    "autoscaling.v2.HorizontalPodAutoscalerSpec": (spec) =>
      arrayAt(spec, "metrics").length > 0 ? spec : { ...spec, metrics: [cpuUtilization] },
    "autoscaling.v2.HorizontalPodAutoscalerBehavior": (behavior): Fields => ({
      scaleUp: { ...scaleUp, ...recordAt(behavior, "scaleUp") },
      scaleDown: { ...scaleDown, ...recordAt(behavior, "scaleDown") },
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
};

function requiredPositive(value: unknown, findings: Findings): void {
  if (value === undefined || value === 0) findings.required("must be set and greater than 0");
  else atLeast(1)(value, findings);
}

function maxNotBelowMin(spec: unknown, findings: Findings): void {
  const [most, least] = [valueAt(spec, "maxReplicas") ?? 0, valueAt(spec, "minReplicas")];
  if (typeof most === "number" && typeof least === "number" && most < least)
    findings.invalid(most, "must be greater than or equal to `minReplicas`", "maxReplicas");
}
