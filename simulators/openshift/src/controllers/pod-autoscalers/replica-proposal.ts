import { type KubeObject, quantityOf } from "@keelson/apiserver";
import { listAt, numberAt, stringAt } from "@keelson/base";
import { conditionStatus } from "@keelson/kube";
import { containerUsages, type Usage } from "../../apis/metrics/usage.ts";

/** Replica count that the autoscaler proposes for one metric, with the metric's current value (`status.currentMetrics`). */
export type Proposal =
  | {
      readonly kind: "replicas";
      readonly replicas: number;
      readonly metric: string;
      readonly current: object;
    }
  /** The metric is not available. The condition `ScalingActive` contains `reason` and `message`. */
  | { readonly kind: "failed"; readonly reason: string; readonly message: string };

/**
 * Maximum relative deviation from the target at which the replica count does not change. Equals the default
 * --horizontal-pod-autoscaler-tolerance of kube-controller-manager.
 */
const tolerance = 0.1;

interface Measured {
  /** Usage of the pod in cores or bytes. */
  readonly usage: number;
  readonly request: number;
}

/**
 * Computes the required replicas for a metric (autoscaling/v2). Pods that are not ready or lack usage data can only reduce the
 * change of the replica count.
 * @see kubernetes/kubernetes pkg/controller/podautoscaler/replica_calculator.go
 */
export function proposeReplicas(metric: unknown, pods: readonly KubeObject[], replicas: number): Proposal {
  const type = stringAt(metric, "type") ?? "";
  if (type !== "Resource" && type !== "ContainerResource")
    return {
      kind: "failed",
      reason: `FailedGet${type === "Object" || type === "Pods" || type === "External" ? type : ""}Metric`,
      message: `unable to get metric: no custom metrics API is registered for metrics of type ${type}`,
    };
  const source = type === "Resource" ? "resource" : "containerResource";
  const resource = stringAt(metric, source, "name") ?? "";
  const container = stringAt(metric, source, "container");
  const reason = type === "Resource" ? "FailedGetResourceMetric" : "FailedGetContainerResourceMetric";
  const failed = (why: string): Proposal => ({
    kind: "failed",
    reason,
    message: `the HPA was unable to compute the replica count: failed to get ${resource} ${what(container)}: ${why}`,
  });
  if (resource !== "cpu" && resource !== "memory") return failed(`there is no usage of ${resource}`);
  const living = pods.filter(
    ({ metadata, status }) =>
      metadata.deletionTimestamp === undefined && stringAt(status, "phase") !== "Failed",
  );
  const ready = living.filter((pod) => conditionStatus(pod, "Ready") === "True");
  const measured: Measured[] = [];
  for (const pod of ready) {
    const request = requestOf(pod, resource, container);
    if (request === undefined && stringAt(metric, source, "target", "type") === "Utilization")
      return failed(
        `missing request for ${resource} in container ${container ?? "of pod"} of Pod ${pod.metadata.name}`,
      );
    const usage = usageOf(pod, resource, container);
    if (usage !== undefined) measured.push({ usage, request: request ?? 0 });
  }
  if (measured.length === 0)
    return failed("did not receive metrics for targeted pods (pods might be unready)");
  const target = targetOf(metric, source);
  if (target === undefined) return failed("its target is neither a utilization nor an average value");
  const missing = ready.length - measured.length;
  const unready = living.length - ready.length;
  const asked = replicasFor(measured, { missing, unready }, target, replicas);
  const average = measured.reduce((sum, { usage }) => sum + usage, 0) / measured.length;
  const utilization = utilizationOf(measured);
  const current = {
    averageValue: quantityText(resource, average),
    ...(target.kind === "utilization" ? { averageUtilization: utilization } : {}),
  };
  return {
    kind: "replicas",
    replicas: asked,
    metric:
      target.kind === "utilization"
        ? `${resource} ${what(container)} utilization (percentage of request)`
        : `${resource} ${what(container)}`,
    current: { type, [source]: { name: resource, ...(container ? { container } : {}), current } },
  };
}

type Target = { readonly kind: "utilization" | "average"; readonly value: number };

function targetOf(metric: unknown, source: string): Target | undefined {
  const utilization = numberAt(metric, source, "target", "averageUtilization");
  if (utilization !== undefined) return { kind: "utilization", value: utilization };
  const average = stringAt(metric, source, "target", "averageValue");
  return average === undefined ? undefined : { kind: "average", value: quantityOf(average) };
}

/**
 * Returns the required replicas. Pods without usage data count as exactly on target when scaling down and as idle when scaling
 * up.
 */
function replicasFor(
  measured: readonly Measured[],
  { missing, unready }: { readonly missing: number; readonly unready: number },
  target: Target,
  replicas: number,
): number {
  const ratio = ratioOf(measured, target);
  const fillsUnready = unready > 0 && ratio > 1;
  if (!fillsUnready && missing === 0)
    return isOnTarget(ratio) ? replicas : Math.ceil(round(ratio * measured.length));
  const request = measured.reduce((sum, each) => sum + each.request, 0) / measured.length;
  const onTarget = target.kind === "utilization" ? (request * target.value) / 100 : target.value;
  const filled = [
    ...measured,
    ...Array.from({ length: missing }, () => ({ usage: ratio < 1 ? onTarget : 0, request })),
    ...Array.from({ length: fillsUnready ? unready : 0 }, () => ({ usage: 0, request })),
  ];
  const again = ratioOf(filled, target);
  if (isOnTarget(again) || (ratio < 1 && again > 1) || (ratio > 1 && again < 1)) return replicas;
  const asked = Math.ceil(round(again * filled.length));
  return (again < 1 && asked > replicas) || (again > 1 && asked < replicas) ? replicas : asked;
}

function ratioOf(measured: readonly Measured[], target: Target): number {
  if (target.kind === "utilization") return utilizationOf(measured) / target.value;
  return measured.reduce((sum, { usage }) => sum + usage, 0) / measured.length / target.value;
}

/** Returns the usage in percent of the resource requests, rounded down as in Kubernetes. */
function utilizationOf(measured: readonly Measured[]): number {
  const [usage, request] = [
    measured.reduce((sum, each) => sum + each.usage, 0),
    measured.reduce((sum, each) => sum + each.request, 0),
  ];
  return request === 0 ? 0 : Math.floor(round((100 * usage) / request));
}

function isOnTarget(ratio: number): boolean {
  return Math.abs(1 - ratio) <= tolerance + 1e-9;
}

/** Removes floating-point errors, which could otherwise add a replica. */
function round(value: number): number {
  return Number(value.toFixed(9));
}

function what(container: string | undefined): string {
  return container === undefined ? "resource" : "container resource";
}

function usageOf(pod: KubeObject, resource: string, container: string | undefined): number | undefined {
  const usages = containerUsages(pod).filter(([name]) => container === undefined || name === container);
  if (usages.length === 0) return undefined;
  const amount = ({ milliCores, kibibytes }: Usage) =>
    resource === "cpu" ? milliCores / 1_000 : kibibytes * 1_024;
  return usages.reduce((sum, [, usage]) => sum + amount(usage), 0);
}

/** Returns a pod's resource request. `undefined` if a container has no request. */
function requestOf(pod: KubeObject, resource: string, container: string | undefined): number | undefined {
  let sum = 0;
  for (const each of listAt(pod, "spec", "containers")) {
    if (container !== undefined && stringAt(each, "name") !== container) continue;
    const request = stringAt(each, "resources", "requests", resource);
    if (request === undefined) return undefined;
    sum += quantityOf(request);
  }
  return sum;
}

function quantityText(resource: string, amount: number): string {
  return resource === "cpu" ? `${Math.round(amount * 1_000)}m` : `${Math.round(amount)}`;
}
