import type { KubeObject } from "@keelson/apiserver";
import { conditionStatus } from "../../runtime/conditions.ts";
import { textAt } from "../../runtime/fields.ts";
import { isActive } from "./pod-state.ts";
import { chooseNode } from "./scheduling.ts";

export interface PodObserved {
  readonly pod: KubeObject;
  readonly nodes: readonly KubeObject[];
  /** Of all namespaces: the load of the nodes, and the addresses in use. */
  readonly pods: readonly KubeObject[];
}

export type PodChange =
  | { readonly kind: "none" }
  | { readonly kind: "bind"; readonly node: KubeObject }
  | { readonly kind: "unschedulable" }
  | { readonly kind: "start"; readonly node: KubeObject }
  | { readonly kind: "lose" }
  /** The node it was bound to does not exist any more. */
  | { readonly kind: "remove" };

/** A pod's next step: bound to a node, started there; not ready while its node is silent; gone with its node. */
export function planPod({ pod, nodes, pods }: PodObserved): PodChange {
  if (!isActive(pod)) return { kind: "none" };
  const nodeName = textAt(pod, "spec", "nodeName");
  if (!nodeName) {
    const chosen = chooseNode(pod.spec, nodes, pods);
    if (chosen) return { kind: "bind", node: chosen };
    return conditionStatus(pod, "PodScheduled") === "False" ? { kind: "none" } : { kind: "unschedulable" };
  }
  const node = nodes.find(({ metadata }) => metadata.name === nodeName);
  if (!node) return { kind: "remove" };
  const ready = conditionStatus(pod, "Ready") === "True";
  if (conditionStatus(node, "Ready") === "True") return ready ? { kind: "none" } : { kind: "start", node };
  return ready ? { kind: "lose" } : { kind: "none" };
}
