import { arrayAt, recordAt, valueAt } from "../json/access.ts";
import type { KubeObject } from "../kube-object.ts";

/**
 * An object of a built-in kind in another of its versions. Events of both groups are one, as are the two versions of
 * horizontal pod autoscalers; versions of other kinds differ in their `apiVersion` only.
 */
export function convertBuiltin(object: KubeObject, apiVersion: string): KubeObject {
  if (object.apiVersion === apiVersion) return object;
  const convert = conversions[`${object.kind} ${object.apiVersion} ${apiVersion}`];
  return convert ? { ...convert(object), apiVersion } : { ...object, apiVersion };
}

const conversions: Readonly<Record<string, (object: KubeObject) => KubeObject>> = {
  "Event v1 events.k8s.io/v1": (event) => renamed(event, eventNames),
  "Event events.k8s.io/v1 v1": (event) =>
    renamed(event, new Map([...eventNames].map(([core, event]) => [event, core]))),
  "HorizontalPodAutoscaler autoscaling/v2 autoscaling/v1": autoscalerToV1,
  "HorizontalPodAutoscaler autoscaling/v1 autoscaling/v2": autoscalerToV2,
};

/** What core/v1 and events.k8s.io/v1 call the same. Facts: kubernetes pkg/apis/events/v1/conversion.go. */
const eventNames: ReadonlyMap<string, string> = new Map([
  ["involvedObject", "regarding"],
  ["message", "note"],
  ["source", "deprecatedSource"],
  ["firstTimestamp", "deprecatedFirstTimestamp"],
  ["lastTimestamp", "deprecatedLastTimestamp"],
  ["count", "deprecatedCount"],
  ["reportingComponent", "reportingController"],
]);

function renamed(object: KubeObject, names: ReadonlyMap<string, string>): KubeObject {
  const { apiVersion, kind, metadata, ...rest } = object;
  const members = Object.entries(rest).map(([name, value]) => [names.get(name) ?? name, value] as const);
  return { apiVersion, kind, metadata, ...Object.fromEntries(members) };
}

/** Where version 1 keeps what only version 2 can say. Facts: kubernetes pkg/apis/autoscaling/v1/conversion.go. */
const metricsAnnotation = "autoscaling.alpha.kubernetes.io/metrics";
const behaviorAnnotation = "autoscaling.alpha.kubernetes.io/behavior";

function autoscalerToV1(object: KubeObject): KubeObject {
  const { metrics: _metrics, behavior, ...spec } = recordAt(object, "spec");
  const { currentMetrics: _current, conditions: _conditions, ...status } = recordAt(object, "status");
  const metrics = arrayAt(object, "spec", "metrics");
  const cpu = metrics.find(isCpuUtilization);
  const others = metrics.filter((metric) => metric !== cpu);
  const target = valueAt(cpu, "resource", "target", "averageUtilization");
  const current = arrayAt(object, "status", "currentMetrics").find(
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

function autoscalerToV2(object: KubeObject): KubeObject {
  const { targetCPUUtilizationPercentage: target, ...spec } = recordAt(object, "spec");
  const { currentCPUUtilizationPercentage: _current, ...status } = recordAt(object, "status");
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
