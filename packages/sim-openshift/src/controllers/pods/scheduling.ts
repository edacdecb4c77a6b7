import type { KubeObject } from "@keelson/apiserver";
import { conditionStatus } from "../../runtime/conditions.ts";
import { at, listAt, textAt, textsAt } from "../../runtime/fields.ts";

/** Taints that every pod of a DaemonSet tolerates. */
const daemonTolerations = [
  "node.kubernetes.io/not-ready",
  "node.kubernetes.io/unreachable",
  "node.kubernetes.io/unschedulable",
  "node.kubernetes.io/disk-pressure",
  "node.kubernetes.io/memory-pressure",
  "node.kubernetes.io/pid-pressure",
].map((key) => ({ key, operator: "Exists" }));

/** The node for a pod: the least loaded of those that are ready and fit; `undefined` when none does. */
export function chooseNode(
  podSpec: unknown,
  nodes: readonly KubeObject[],
  pods: readonly KubeObject[],
): KubeObject | undefined {
  const load = (node: KubeObject) =>
    pods.filter((pod) => at(pod, "spec", "nodeName") === node.metadata.name).length;
  return nodes
    .filter((node) => conditionStatus(node, "Ready") === "True" && at(node, "spec", "unschedulable") !== true)
    .filter((node) => fits(podSpec, node))
    .toSorted((a, b) => load(a) - load(b) || a.metadata.name.localeCompare(b.metadata.name))[0];
}

/** True when a DaemonSet's pod belongs on the node, whether that is ready or not. */
export function fitsDaemon(podSpec: unknown, node: KubeObject): boolean {
  const tolerations = [...listAt(podSpec, "tolerations"), ...daemonTolerations];
  return selects(podSpec, node) && tolerates(tolerations, node);
}

function fits(podSpec: unknown, node: KubeObject): boolean {
  return selects(podSpec, node) && tolerates(listAt(podSpec, "tolerations"), node);
}

function selects(podSpec: unknown, node: KubeObject): boolean {
  const labels = textsAt(node, "metadata", "labels");
  return Object.entries(textsAt(podSpec, "nodeSelector")).every(([name, value]) => labels[name] === value);
}

/** Every taint that keeps pods away is tolerated (core/v1 Toleration). */
function tolerates(tolerations: readonly unknown[], node: KubeObject): boolean {
  return listAt(node, "spec", "taints")
    .filter((taint) => textAt(taint, "effect") !== "PreferNoSchedule")
    .every((taint) => tolerations.some((toleration) => toleratesTaint(toleration, taint)));
}

function toleratesTaint(toleration: unknown, taint: unknown): boolean {
  const effect = textAt(toleration, "effect");
  if (effect && effect !== textAt(taint, "effect")) return false;
  const key = textAt(toleration, "key");
  const exists = textAt(toleration, "operator") === "Exists";
  if (!key) return exists;
  if (key !== textAt(taint, "key")) return false;
  return exists || (textAt(toleration, "value") ?? "") === (textAt(taint, "value") ?? "");
}
