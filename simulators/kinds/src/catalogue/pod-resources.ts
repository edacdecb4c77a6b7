import {
  addQuantities,
  formatResourceList,
  maximumOf,
  type Quantity,
  type ResourceList,
  resourceListAt,
  scalarStringAt,
  sumOf,
} from "@keelson/apimachinery";
import { listAt, objectAt, valueAt } from "@keelson/base";
import { isPodLevelResource } from "./resource-names.ts";

/** Resource limits or requests of containers. */
export type ResourceSide = "limits" | "requests";

/**
 * Returns the resources that a pod's containers need together: for each resource, the larger of two values. The first value is
 * the sum of the containers that run concurrently. The second value is the maximum over all init containers, each with the
 * sidecars that start before it.
 */
export function containerResources(spec: unknown, side: ResourceSide): ResourceList {
  const of = (container: unknown) => resourceListAt(container, "resources", side);
  const sidecars = new Map<string, Quantity>();
  const starting = new Map<string, Quantity>();
  for (const container of listAt(spec, "initContainers")) {
    const isSidecar = scalarStringAt(container, "restartPolicy") === "Always";
    for (const [name, own] of of(container)) {
      const beside = sidecars.get(name);
      const meanwhile = beside ? addQuantities(own, beside) : own;
      if (isSidecar) sidecars.set(name, meanwhile);
      const most = starting.get(name);
      if (!most || most.nano < meanwhile.nano) starting.set(name, meanwhile);
    }
  }
  return maximumOf(sumOf(...listAt(spec, "containers").map(of), sidecars), starting);
}

/** Returns a pod's resources without overhead. Pod-level values take precedence over the values of the containers. */
export function podResources(spec: unknown, side: ResourceSide): ResourceList {
  const own = [...resourceListAt(spec, "resources", side)].filter(([name]) => isPodLevelResource(name));
  return new Map([...containerResources(spec, side), ...own]);
}

/** Returns a pod's resources including its runtime overhead. */
export function podResourcesWithOverhead(spec: unknown, side: ResourceSide): ResourceList {
  const own = podResources(spec, side);
  const overhead = [...resourceListAt(spec, "overhead")];
  // The overhead increases existing limits. It adds no limit for resources without a limit.
  return sumOf(own, new Map(side === "requests" ? overhead : overhead.filter(([name]) => own.has(name))));
}

/**
 * Adds defaults to the pod-level `resources` of a pod, computed from its containers. Does not change pods without pod-level
 * `resources`.
 */
export function withPodLevelDefaults(
  spec: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const own = objectAt(spec, "resources");
  const [ownLimits, ownRequests] = [objectAt(own, "limits"), objectAt(own, "requests")];
  if (Object.keys(ownLimits).length + Object.keys(ownRequests).length === 0) return spec;
  const filtered = (list: ResourceList, keep: (name: string) => boolean) =>
    formatResourceList(new Map([...list].filter(([name]) => keep(name))));
  const limits = {
    ...filtered(
      containerResources(spec, "limits"),
      (name) => name.startsWith("hugepages-") && !Object.hasOwn(ownRequests, name),
    ),
    ...ownLimits,
  };
  const requests =
    Object.keys(limits).length === 0
      ? ownRequests
      : {
          ...Object.fromEntries(Object.entries(limits).filter(([name]) => isPodLevelResource(name))),
          ...filtered(containerResources(spec, "requests"), (name) => name === "cpu" || name === "memory"),
          ...ownRequests,
        };
  return {
    ...spec,
    resources: {
      ...own,
      ...(Object.keys(limits).length > 0 ? { limits } : {}),
      ...(Object.keys(requests).length > 0 ? { requests } : {}),
    },
  };
}

/**
 * Returns the quality of service class, which depends on the resources of the pod or of its containers.
 * @see kubernetes/kubernetes pkg/apis/core/v1/helper/qos/qos.go
 */
export function qosClassOf(pod: unknown): "BestEffort" | "Burstable" | "Guaranteed" {
  const spec = valueAt(pod, "spec");
  const parts =
    valueAt(spec, "resources") === undefined
      ? [...listAt(spec, "containers"), ...listAt(spec, "initContainers")]
      : [spec];
  const lists = (side: ResourceSide) =>
    parts.map((part) => new Map([...resourceListAt(part, "resources", side)].filter(isCompute)));
  const [limits, requests] = [lists("limits"), lists("requests")];
  const [allLimits, allRequests] = [sumOf(...limits), sumOf(...requests)];
  if (allLimits.size + allRequests.size === 0) return "BestEffort";
  const isGuaranteed =
    limits.every(({ size }) => size === 2) &&
    allRequests.size === 2 &&
    [...allRequests].every(([name, { nano }]) => allLimits.get(name)?.nano === nano);
  return isGuaranteed ? "Guaranteed" : "Burstable";
}

function isCompute([name, { nano }]: readonly [name: string, quantity: Quantity]): boolean {
  return (name === "cpu" || name === "memory") && nano > 0n;
}
