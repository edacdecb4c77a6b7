import type { KubeObject } from "@keelson/apimachinery";
import { listAt, objectAt, valueAt } from "@keelson/base";

/**
 * Annotations in which version 1 stores fields that exist only in version 2. Source: kubernetes
 * pkg/apis/autoscaling/v1/conversion.go.
 */
const metricsAnnotation = "autoscaling.alpha.kubernetes.io/metrics";
const behaviorAnnotation = "autoscaling.alpha.kubernetes.io/behavior";

export function autoscalerToV1(object: KubeObject): KubeObject {
  const { metrics: _metrics, behavior, ...spec } = objectAt(object, "spec");
  const { currentMetrics: _current, conditions: _conditions, ...status } = objectAt(object, "status");
  const metrics = listAt(object, "spec", "metrics");
  const cpu = metrics.find(isCpuUtilization);
  const others = metrics.filter((metric) => metric !== cpu);
  const target = valueAt(cpu, "resource", "target", "averageUtilization");
  const current = listAt(object, "status", "currentMetrics").find(
    (metric) => valueAt(metric, "resource", "name") === "cpu",
  );
  const utilization = valueAt(current, "resource", "current", "averageUtilization");
  const annotations = {
    ...object.metadata.annotations,
    ...(others.length > 0 ? { [metricsAnnotation]: JSON.stringify(others) } : {}),
    ...(behavior === undefined ? {} : { [behaviorAnnotation]: JSON.stringify(behavior) }),
  };
  return {
    ...object,
    metadata: { ...object.metadata, ...(Object.keys(annotations).length > 0 ? { annotations } : {}) },
    spec: { ...spec, ...(target === undefined ? {} : { targetCPUUtilizationPercentage: target }) },
    status: {
      currentReplicas: 0,
      ...status,
      ...(utilization === undefined ? {} : { currentCPUUtilizationPercentage: utilization }),
    },
  };
}

export function autoscalerToV2(object: KubeObject): KubeObject {
  const { targetCPUUtilizationPercentage: target, ...spec } = objectAt(object, "spec");
  const { currentCPUUtilizationPercentage: _current, ...status } = objectAt(object, "status");
  const {
    [metricsAnnotation]: metrics,
    [behaviorAnnotation]: behavior,
    ...annotations
  } = object.metadata.annotations ?? {};
  const { annotations: _annotations, ...metadata } = object.metadata;
  const cpu = {
    type: "Resource",
    resource: { name: "cpu", target: { type: "Utilization", averageUtilization: target } },
  };
  const others = parsed(metrics);
  const all = [...(target === undefined ? [] : [cpu]), ...(Array.isArray(others) ? others : [])];
  const rules = parsed(behavior);
  return {
    ...object,
    metadata: { ...metadata, ...(Object.keys(annotations).length > 0 ? { annotations } : {}) },
    spec: {
      ...spec,
      ...(all.length > 0 ? { metrics: all } : {}),
      ...(rules === undefined ? {} : { behavior: rules }),
    },
    status,
  };
}

function isCpuUtilization(metric: unknown): boolean {
  return (
    valueAt(metric, "resource", "name") === "cpu" &&
    valueAt(metric, "resource", "target", "averageUtilization") !== undefined
  );
}

function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
