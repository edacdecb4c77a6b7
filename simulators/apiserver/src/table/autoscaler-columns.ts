import { isPlainObject } from "@keelson/base";
import { ageColumn, type Column, count, declared, nameColumn, text } from "./column.ts";
import { at, listAt, numberAt, textAt } from "./read.ts";

export const autoscalerColumns: readonly Column[] = [
  nameColumn,
  text("Reference", (object) => {
    const target = at(object, "spec", "scaleTargetRef");
    return `${textAt(target, "kind")}/${textAt(target, "name")}`;
  }),
  text("Targets", (object) => targets(object)),
  text("MinPods", (object) => String(at(object, "spec", "minReplicas") ?? "<unset>")),
  declared("string", count("MaxPods", "spec.maxReplicas")),
  declared("string", count("Replicas", "status.currentReplicas")),
  ageColumn,
];

/** `cpu: 12%/80%` per metric, the first two; autoscaling/v1 knows only the cpu. */
function targets(autoscaler: unknown): string {
  const cpu = at(autoscaler, "spec", "targetCPUUtilizationPercentage");
  if (cpu !== undefined) {
    const current = at(autoscaler, "status", "currentCPUUtilizationPercentage");
    return `cpu: ${current === undefined ? "<unknown>" : `${current}%`}/${cpu}%`;
  }
  const metrics = listAt(autoscaler, "spec", "metrics");
  if (metrics.length === 0) return "<none>";
  const current = listAt(autoscaler, "status", "currentMetrics");
  const shown = metrics.slice(0, 2).map((metric, index) => target(metric, current[index]));
  return shown.join(", ") + (metrics.length > 2 ? ` + ${metrics.length - 2} more...` : "");
}

function target(metric: unknown, current: unknown): string {
  const type = textAt(metric, "type");
  const member = type.charAt(0).toLowerCase() + type.slice(1);
  const wanted = at(metric, member, "target");
  const name =
    type === "Resource" || type === "ContainerResource" ? `${textAt(metric, member, "name")}: ` : "";
  const now = value(at(current, member, "current")) ?? "<unknown>";
  const average = type !== "Resource" && at(wanted, "averageValue") !== undefined ? " (avg)" : "";
  return `${name}${now}/${value(wanted) ?? "<auto>"}${average}`;
}

function value(metric: unknown): string | undefined {
  if (!isPlainObject(metric)) return undefined;
  if (metric.averageUtilization !== undefined) return `${numberAt(metric, "averageUtilization")}%`;
  return textAt(metric, "averageValue") || textAt(metric, "value") || undefined;
}
