import { type ResourceList, resourceListAt, scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt, valueAt } from "@keelson/base";
import { podResourcesWithOverhead, qosClassOf } from "../catalogue/pod-resources.ts";
import { isExtendedResource, isNativeResource } from "../catalogue/resource-names.ts";
import type { Evaluator } from "./evaluator.ts";
import { objectCountName, one } from "./object-count.ts";
import { matchesClasses } from "./scopes.ts";

const compute = ["cpu", "memory", "ephemeral-storage"] as const;
const hugePages = "hugepages-";
const countName = objectCountName("", "pods");
const tracked: ReadonlySet<string> = new Set([
  countName,
  "pods",
  ...compute.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
]);
/** Resources that every container must specify if a quota limits them. */
const demanded: ReadonlySet<string> = new Set(
  ["cpu", "memory"].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
);

/**
 * Quota usage of pods.
 * @see kubernetes/kubernetes pkg/quota/v1/evaluator/core/pods.go
 */
export const podEvaluator: Evaluator = {
  tracks: (name) =>
    tracked.has(name) ||
    name.startsWith(hugePages) ||
    name.startsWith(`requests.${hugePages}`) ||
    (name.startsWith("requests.") && !isNativeResource(name)),
  isChargedAgain: (pod, current) => isTerminating(pod) !== isTerminating(current),
  isFreed: (pod, current) =>
    (hasEnded(pod) && !hasEnded(current)) || isTerminating(pod) !== isTerminating(current),
  missing(pod, limited) {
    const spec = objectAt(pod, "spec");
    const whole =
      resourceListAt(spec, "resources", "requests").size + resourceListAt(spec, "resources", "limits").size;
    if (whole > 0) return undefined;
    const containers = [...listAt(spec, "containers"), ...listAt(spec, "initContainers")];
    const faults = limited
      .filter((name) => demanded.has(name))
      .sort()
      .flatMap((name) => {
        const without = containers.filter((container) => !containerUsage(container).has(name));
        const names = [...new Set(without.map((container) => scalarStringAt(container, "name")))].sort();
        return names.length > 0 ? `${name} for: ${names.join(",")}` : [];
      });
    return faults.length > 0 ? `must specify ${faults.join("; ")}` : undefined;
  },
  matchesScope(pod, selector) {
    switch (selector.scope) {
      case "Terminating":
        return isTerminating(pod);
      case "NotTerminating":
        return !isTerminating(pod);
      case "BestEffort":
        return classOf(pod) === "BestEffort";
      case "NotBestEffort":
        return classOf(pod) !== "BestEffort";
      case "PriorityClass": {
        const name = scalarStringAt(pod, "spec", "priorityClassName");
        return matchesClasses(name ? [name] : [], selector);
      }
      case "CrossNamespacePodAffinity":
        return hasCrossNamespaceAffinity(pod);
      default:
        return false;
    }
  },
  usage(pod, now) {
    const counted = [countName, one] as const;
    if (hasEnded(pod) || isOverdue(pod, now)) return new Map([counted]);
    const spec = valueAt(pod, "spec");
    const [requests, limits] = (["requests", "limits"] as const).map((side) =>
      podResourcesWithOverhead(spec, side),
    );
    return new Map([counted, ["pods", one], ...usageNames(requests ?? new Map(), limits ?? new Map())]);
  },
};

function containerUsage(container: unknown): ResourceList {
  const [requests, limits] = (["requests", "limits"] as const).map((side) =>
    resourceListAt(container, "resources", side),
  );
  return usageNames(requests ?? new Map(), limits ?? new Map());
}

/** Converts requests and limits to quota resources, such as `requests.cpu`. */
function usageNames(requests: ResourceList, limits: ResourceList): ResourceList {
  const isCompute = (name: string) => (compute as readonly string[]).includes(name);
  return new Map([
    ...[...requests].flatMap(([name, quantity]) => {
      const asked = [`requests.${name}`, quantity] as const;
      if (isCompute(name) || name.startsWith(hugePages)) return [[name, quantity] as const, asked];
      return isExtendedResource(name) ? [asked] : [];
    }),
    ...[...limits].flatMap(([name, quantity]) =>
      isCompute(name) ? [[`limits.${name}`, quantity] as const] : [],
    ),
  ]);
}

function classOf(pod: unknown): string {
  return scalarStringAt(pod, "status", "qosClass") || qosClassOf(pod);
}

/** True if the pod has an active deadline. Kubernetes calls this scope Terminating. */
function isTerminating(pod: unknown): boolean {
  const deadline = valueAt(pod, "spec", "activeDeadlineSeconds");
  return typeof deadline === "number" && deadline >= 0;
}

function hasEnded(pod: unknown): boolean {
  return ["Failed", "Succeeded"].includes(scalarStringAt(pod, "status", "phase"));
}

/** True if the pod's grace period has expired, for example because the node is lost. */
function isOverdue(pod: unknown, now: Date): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds } = objectAt(pod, "metadata");
  if (typeof deletionTimestamp !== "string" || typeof deletionGracePeriodSeconds !== "number") return false;
  return now.getTime() > Date.parse(deletionTimestamp) + 1_000 * deletionGracePeriodSeconds;
}

function hasCrossNamespaceAffinity(pod: unknown): boolean {
  return ["podAffinity", "podAntiAffinity"].some((kind) => {
    const of = (member: string) => listAt(pod, "spec", "affinity", kind, member);
    const terms = [
      ...of("requiredDuringSchedulingIgnoredDuringExecution"),
      ...of("preferredDuringSchedulingIgnoredDuringExecution").map((each) =>
        valueAt(each, "podAffinityTerm"),
      ),
    ];
    return terms.some(
      (term) => listAt(term, "namespaces").length > 0 || valueAt(term, "namespaceSelector") !== undefined,
    );
  });
}
