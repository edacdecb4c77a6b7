import type { KubeObject } from "@keelson/apiserver";
import { listAt, numberAt, stringAt } from "@keelson/base";
import { conditionStatus } from "@keelson/kube";
import { resources } from "../base/resources.ts";
import type { WorkloadContext } from "../workload-context/workload-context.ts";

/**
 * True if a ready pod on the node of the pod `guard` has the address `host` and can serve the port. If pods with this address
 * declare the port, only these pods are considered.
 */
export function respondsOnNode(
  context: WorkloadContext,
  guard: KubeObject,
  host: string,
  port: number | string,
): boolean {
  const there = context
    .informer(resources.pods)
    .by("node", stringAt(guard, "spec", "nodeName") ?? "")
    .filter(({ metadata }) => metadata.uid !== guard.metadata.uid)
    .filter((pod) => stringAt(pod, "status", "podIP") === host);
  const declaring = there.filter((pod) => declares(pod, port));
  return (declaring.length > 0 ? declaring : there).some((pod) => conditionStatus(pod, "Ready") === "True");
}

function declares(pod: KubeObject, port: number | string): boolean {
  return listAt(pod, "spec", "containers").some((container) =>
    listAt(container, "ports").some(
      (each) => numberAt(each, "containerPort") === port || stringAt(each, "name") === port,
    ),
  );
}
