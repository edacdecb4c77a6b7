import { type KubeObject, quantityOf } from "@keelson/apiserver";
import { listAt, objectAt, stringAt, valueAt } from "@keelson/base";

/** Resources of a node that a pod uses. */
export interface PodDemand {
  /** UID of the pod's first owner. */
  readonly owner: string | undefined;
  /** Host ports in the format `PORT/PROTOCOL`. */
  readonly hostPorts: readonly string[];
  /** Resource requests, or limits if a request is missing. */
  readonly requests: readonly (readonly [name: string, amount: number])[];
}

/** Maximum amount of a resource. Infinite amounts cannot be subtracted from a sum again. */
const largestAmount = 2 ** 50;

/** Returns the demand of a pod. */
export function podDemand(pod: KubeObject): PodDemand {
  const containers = listAt(pod, "spec", "containers");
  const hostPorts = containers
    .flatMap((container) => listAt(container, "ports"))
    .filter((port) => valueAt(port, "hostPort") !== undefined)
    .map((port) => `${valueAt(port, "hostPort")}/${stringAt(port, "protocol") ?? "TCP"}`);
  const sum: Record<string, number> = {};
  for (const container of containers) {
    const wanted = {
      ...objectAt(container, "resources", "limits"),
      ...objectAt(container, "resources", "requests"),
    };
    for (const [name, quantity] of Object.entries(wanted))
      sum[name] = Math.min(largestAmount, (sum[name] ?? 0) + (numberOf(quantity) ?? 0));
  }
  return { owner: pod.metadata.ownerReferences?.[0]?.uid, hostPorts, requests: Object.entries(sum) };
}

/** Converts a resource quantity to a number. `undefined` if the quantity is invalid. */
export function numberOf(quantity: unknown): number | undefined {
  const number = quantityOf(String(quantity));
  return Number.isNaN(number) ? undefined : number;
}

/** True if the pod uses resources of its node. */
export function occupiesNode(pod: KubeObject): boolean {
  const phase = stringAt(pod, "status", "phase");
  return phase !== "Succeeded" && phase !== "Failed";
}
