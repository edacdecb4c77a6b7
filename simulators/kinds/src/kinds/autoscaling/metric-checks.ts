import { quantityOf, scalarStringAt } from "@keelson/apimachinery";
import { listAt, valueAt } from "@keelson/base";
import { atLeast, named, oneOf, requiredBecause } from "../../catalogue/checks.ts";
import type { Findings } from "../../catalogue/findings.ts";
import { dnsLabel, pathSegmentName } from "../../catalogue/names.ts";
import { containerResourceFault, resourceNameFault } from "../../catalogue/resource-names.ts";
import type { Check, FieldChecks } from "../../catalogue/type-facts.ts";

/** Checks of autoscaler metrics. Source: kubernetes pkg/apis/autoscaling/validation/validation.go. */
export const autoscalingChecks: Readonly<Record<string, readonly FieldChecks[]>> = {
  "autoscaling.v2.MetricSpec": [
    ["type", requiredBecause("must specify a metric source type"), sourceType],
    ["object"],
    ["external"],
    ["pods"],
    ["resource"],
    ["containerResource"],
    ["", onlyItsSource],
  ],
  "autoscaling.v2.ObjectMetricSource": [
    ["describedObject", reference],
    ["metric"],
    ["target"],
    ["", someOf(["value", "averageValue"], "must set either a target value or averageValue")],
  ],
  "autoscaling.v2.ExternalMetricSource": [
    ["metric"],
    ["target"],
    ["", valueOrPerPod],
    ["", someOf(["value", "averageValue"], "must set either a target value for metric or a per-pod target")],
  ],
  "autoscaling.v2.PodsMetricSource": [
    ["metric"],
    ["target"],
    ["", someOf(["averageValue"], "must specify a positive target averageValue")],
  ],
  "autoscaling.v2.ResourceMetricSource": [
    ["name", requiredBecause("must specify a resource name")],
    ["target"],
    ["", valueOrUtilization],
  ],
  "autoscaling.v2.ContainerResourceMetricSource": [
    ["name", requiredBecause("must specify a resource name"), containerResource],
    ["container", requiredBecause("must specify a container"), named(dnsLabel)],
    ["target"],
    ["", valueOrUtilization],
  ],
  "autoscaling.v2.MetricIdentifier": [
    ["name", requiredBecause("must specify a metric name"), named(pathSegmentName)],
  ],
  "autoscaling.v2.MetricTarget": [
    ["type", requiredBecause("must specify a metric target type"), targetType],
    ["averageUtilization", atLeast(1, "must be greater than 0")],
    ["value", positiveQuantity],
    ["averageValue", positiveQuantity],
  ],
  "autoscaling.v2.HPAScalingRules": [
    ["stabilizationWindowSeconds", atLeast(0, "must be greater than or equal to zero"), atMost(3600)],
    ["selectPolicy", supported("Disabled", "Max", "Min")],
    ["policies", requiredBecause("must specify at least one Policy")],
    ["tolerance", tolerance],
  ],
  "autoscaling.v2.HPAScalingPolicy": [
    ["type", supported("Percent", "Pods")],
    ["value", atLeast(1, "must be greater than zero")],
    ["periodSeconds", atLeast(1, "must be greater than zero"), atMost(1800)],
  ],
};

/** Validates the scale target. In the core group, only ReplicationControllers can be scaled. */
export function scaleTarget(value: unknown, findings: Findings): void {
  reference(value, findings);
  const version = scalarStringAt(value, "apiVersion");
  const parts = version.split("/");
  if (parts.length > 2) findings.invalid(version, `unexpected GroupVersion string: ${version}`, "apiVersion");
  else if (parts.length < 2 || parts[0] === "") {
    if (scalarStringAt(value, "kind") !== "ReplicationController")
      findings.invalid(version, "apiVersion must specify API group", "apiVersion");
  }
}

/** Scaling to zero requires an Object or External metric, because there are no pods to measure. */
export function zeroNeedsOthers(spec: unknown, findings: Findings): void {
  const isElsewhere = (metric: unknown) => ["Object", "External"].includes(scalarStringAt(metric, "type"));
  if (valueAt(spec, "minReplicas") === 0 && !listAt(spec, "metrics").some(isElsewhere)) {
    const why = "must specify at least one Object or External metric to support scaling to zero replicas";
    findings.forbidden(why, "metrics");
  }
}

/**
 * Validates the CPU target in version 1 of the API. The error message is that of version 2, because kube-apiserver converts the
 * object to version 2.
 */
export function utilizationOfV1(spec: unknown, findings: Findings): void {
  const percentage = valueAt(spec, "targetCPUUtilizationPercentage");
  if (typeof percentage === "number" && percentage < 1) {
    const place = ["metrics", 0, "resource", "target", "averageUtilization"];
    findings.invalid(percentage, "must be greater than 0", ...place);
  }
}

const sources: ReadonlyMap<string, string> = new Map([
  ["ContainerResource", "containerResource"],
  ["External", "external"],
  ["Object", "object"],
  ["Pods", "pods"],
  ["Resource", "resource"],
]);

function sourceType(value: unknown, findings: Findings): void {
  if (!sources.has(String(value))) findings.notSupported(value ?? "", [...sources.keys()]);
}

function onlyItsSource(metric: unknown, findings: Findings): void {
  const wanted = sources.get(scalarStringAt(metric, "type"));
  if (wanted === undefined) {
    // kube-apiserver reports two errors: the unknown type and the missing source.
    findings.notSupported(scalarStringAt(metric, "type"), [...sources.keys()], "type");
    return;
  }
  if (valueAt(metric, wanted) === undefined)
    findings.required("must populate information for the given metric source", wanted);
  const given = [...sources.values()].filter((source) => valueAt(metric, source) !== undefined);
  if (given.length < 2) return;
  for (const source of given)
    if (source !== wanted) findings.forbidden("must populate the given metric source only", source);
}

function reference(value: unknown, findings: Findings): void {
  for (const member of ["kind", "name"]) {
    const text = scalarStringAt(value, member);
    const why = text === "" ? undefined : pathSegmentName(text);
    if (text === "") findings.required("", member);
    else if (why) findings.invalid(text, why, member);
  }
}

const hasTarget = (source: unknown, member: string) => valueAt(source, "target", member) !== undefined;

/** Requires at least one of the targets. The error names the last target. */
function someOf(members: readonly string[], why: string): Check {
  return (source, findings) => {
    if (!members.some((member) => hasTarget(source, member)))
      findings.required(why, "target", members.at(-1) ?? "");
  };
}

function valueOrPerPod(source: unknown, findings: Findings): void {
  if (hasTarget(source, "value") && hasTarget(source, "averageValue"))
    findings.forbidden("may not set both a target value for metric and a per-pod target", "target", "value");
}

function valueOrUtilization(source: unknown, findings: Findings): void {
  const [utilization, value] = [hasTarget(source, "averageUtilization"), hasTarget(source, "averageValue")];
  if (utilization && value) {
    const why = "may not set both a target raw value and a target utilization";
    findings.forbidden(why, "target", "averageValue");
  }
  if (!utilization && !value) {
    const why = "must set either a target raw value or a target utilization";
    findings.required(why, "target", "averageUtilization");
  }
}

function containerResource(value: unknown, findings: Findings): void {
  if (typeof value !== "string" || value === "") return;
  for (const why of [resourceNameFault(value), containerResourceFault(value)])
    if (why) findings.invalid(value, why);
}

function targetType(value: unknown, findings: Findings): void {
  if (!["Utilization", "Value", "AverageValue"].includes(String(value)))
    findings.invalid(value ?? "", "must be either Utilization, Value, or AverageValue");
}

function positiveQuantity(value: unknown, findings: Findings): void {
  if (value !== undefined && quantityOf(String(value)) <= 0) findings.invalid(value, "must be positive");
}

function tolerance(value: unknown, findings: Findings): void {
  if (value !== undefined && quantityOf(String(value)) < 0)
    findings.invalid(value, "must be greater than or equal to 0");
}

function atMost(most: number): Check {
  return (value, findings) => {
    if (typeof value === "number" && value > most)
      findings.invalid(value, `must be less than or equal to ${most}`);
  };
}

/** Requires one of the values, like `oneOf`. Also rejects an empty string. */
function supported(...values: readonly string[]): Check {
  return (value, findings) => {
    if (value === "") findings.notSupported(value, values);
    else oneOf(...values)(value, findings);
  };
}
