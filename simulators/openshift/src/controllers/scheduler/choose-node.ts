import { type KubeObject, quantityOf } from "@keelson/apiserver";
import { listAt, objectAt, stringAt, valueAt } from "@keelson/base";
import { conditionStatus } from "../../base/conditions.ts";
import { stringMapAt } from "../../base/fields.ts";
import { selectsLabels } from "../../base/label-selector.ts";

/** Tolerations of every DaemonSet pod. */
const daemonTolerations = [
  "node.kubernetes.io/not-ready",
  "node.kubernetes.io/unreachable",
  "node.kubernetes.io/unschedulable",
  "node.kubernetes.io/disk-pressure",
  "node.kubernetes.io/memory-pressure",
  "node.kubernetes.io/pid-pressure",
].map((key) => ({ key, operator: "Exists" }));

export type NodeChoice =
  | { readonly kind: "node"; readonly node: KubeObject }
  /** No node fits. `message` counts the nodes by rejection reason in the scheduler's format. */
  | { readonly kind: "none"; readonly message: string };

/** Selects the least loaded ready node on which the pod fits. */
export function chooseNode(
  pod: KubeObject,
  nodes: readonly KubeObject[],
  podsOn: (node: string) => readonly KubeObject[],
): NodeChoice {
  const reasons = new Map<string, number>();
  const fitting: { readonly node: KubeObject; readonly load: number; readonly disliked: number }[] = [];
  for (const node of nodes) {
    const others = podsOn(node.metadata.name).filter(isActive);
    const reason = obstacle(pod, node, others);
    if (reason) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    else fitting.push({ node, load: others.length, disliked: dislike(pod, node, others) });
  }
  const best = fitting.toSorted(
    (a, b) =>
      a.disliked - b.disliked || a.load - b.load || a.node.metadata.name.localeCompare(b.node.metadata.name),
  )[0];
  if (best) return { kind: "node", node: best.node };
  const listed = [...reasons].map(([reason, count]) => `${count} ${reason}`).toSorted();
  const why = listed.length > 0 ? listed.join(", ") : "no nodes available to schedule pods";
  return { kind: "none", message: `0/${nodes.length} nodes are available: ${why}.` };
}

/** True if the DaemonSet's pod must run on the node. Checks node selection and taints, but not the readiness of the node. */
export function fitsDaemon(podSpec: unknown, node: KubeObject): boolean {
  const tolerations = [...listAt(podSpec, "tolerations"), ...daemonTolerations];
  return selects(podSpec, node) && untolerated(tolerations, node, blocking) === undefined;
}

const blocking: readonly string[] = ["NoSchedule", "NoExecute"];

function obstacle(pod: KubeObject, node: KubeObject, others: readonly KubeObject[]): string | undefined {
  const tolerations = listAt(pod, "spec", "tolerations");
  if (valueAt(node, "spec", "unschedulable") === true && !toleratesUnschedulable(tolerations)) {
    return "node(s) were unschedulable";
  }
  const taint = untolerated(tolerations, node, blocking);
  if (taint) {
    const value = stringAt(taint, "value") ?? "";
    return `node(s) had untolerated taint {${stringAt(taint, "key")}: ${value}}`;
  }
  if (conditionStatus(node, "Ready") !== "True") return "node(s) were not ready";
  if (!selects(pod.spec, node)) return "node(s) didn't match Pod's node affinity/selector";
  if (takenPort(pod, others)) return "node(s) didn't have free ports for the requested pod ports";
  if (!likesNeighbours(pod, others)) return "node(s) didn't match pod anti-affinity rules";
  return lacking(pod, node, others);
}

function toleratesUnschedulable(tolerations: readonly unknown[]): boolean {
  const taint = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };
  return tolerations.some((each) => toleratesTaint(each, taint));
}

/** True if the node matches `nodeSelector` and at least one term of `requiredDuringScheduling...`. */
function selects(podSpec: unknown, node: KubeObject): boolean {
  const labels = stringMapAt(node, "metadata", "labels");
  const selector = Object.entries(stringMapAt(podSpec, "nodeSelector"));
  if (!selector.every(([name, value]) => labels[name] === value)) return false;
  const required = valueAt(
    podSpec,
    "affinity",
    "nodeAffinity",
    "requiredDuringSchedulingIgnoredDuringExecution",
  );
  if (required === undefined) return true;
  return listAt(required, "nodeSelectorTerms").some((term) => {
    const expressions = listAt(term, "matchExpressions");
    const fields = listAt(term, "matchFields");
    if (expressions.length + fields.length === 0) return false;
    return (
      expressions.every((each) => meets(each, labels)) &&
      fields.every((each) => meets(each, { "metadata.name": node.metadata.name }))
    );
  });
}

function meets(expression: unknown, labels: Readonly<Record<string, string>>): boolean {
  const operator = stringAt(expression, "operator");
  if (operator !== "Gt" && operator !== "Lt")
    return selectsLabels({ matchExpressions: [expression] }, labels);
  const value = Number(labels[stringAt(expression, "key") ?? ""] ?? Number.NaN);
  const bound = Number(stringAt(expression, "values", 0));
  return operator === "Gt" ? value > bound : value < bound;
}

/** Returns the first taint with one of these effects that the pod does not tolerate (core/v1 Toleration). */
function untolerated(tolerations: readonly unknown[], node: KubeObject, effects: readonly string[]): unknown {
  return listAt(node, "spec", "taints")
    .filter((taint) => effects.includes(stringAt(taint, "effect") ?? ""))
    .find((taint) => !tolerations.some((toleration) => toleratesTaint(toleration, taint)));
}

function toleratesTaint(toleration: unknown, taint: unknown): boolean {
  const effect = stringAt(toleration, "effect");
  if (effect && effect !== stringAt(taint, "effect")) return false;
  const key = stringAt(toleration, "key");
  const exists = stringAt(toleration, "operator") === "Exists";
  if (!key) return exists;
  if (key !== stringAt(taint, "key")) return false;
  return exists || (stringAt(toleration, "value") ?? "") === (stringAt(taint, "value") ?? "");
}

/**
 * True if the pod's required anti-affinity permits the pods that already run on this node. Considers only terms with the topology
 * key `kubernetes.io/hostname`.
 */
function likesNeighbours(pod: KubeObject, others: readonly KubeObject[]): boolean {
  const terms = listAt(
    pod,
    "spec",
    "affinity",
    "podAntiAffinity",
    "requiredDuringSchedulingIgnoredDuringExecution",
  ).filter((term) => stringAt(term, "topologyKey") === "kubernetes.io/hostname");
  return !terms.some((term) =>
    others.some(
      (each) =>
        each.metadata.namespace === pod.metadata.namespace &&
        selectsLabels(valueAt(term, "labelSelector"), each.metadata.labels ?? {}),
    ),
  );
}

/**
 * Returns the node's penalty for the pod. The penalty increases with untolerated `PreferNoSchedule` taints and with the number of
 * pods on the node that have the same owner.
 */
function dislike(pod: KubeObject, node: KubeObject, others: readonly KubeObject[]): number {
  const soft =
    untolerated(listAt(pod, "spec", "tolerations"), node, ["PreferNoSchedule"]) === undefined ? 0 : 1_000;
  const owner = pod.metadata.ownerReferences?.[0]?.uid;
  const siblings = others.filter(
    (each) => owner !== undefined && each.metadata.ownerReferences?.[0]?.uid === owner,
  );
  return soft + siblings.length;
}

function takenPort(pod: KubeObject, others: readonly KubeObject[]): boolean {
  const ports = hostPorts(pod);
  if (ports.length === 0) return false;
  const taken = new Set(others.flatMap(hostPorts));
  return ports.some((port) => taken.has(port));
}

function hostPorts(pod: KubeObject): readonly string[] {
  return listAt(pod, "spec", "containers")
    .flatMap((container) => listAt(container, "ports"))
    .filter((port) => valueAt(port, "hostPort") !== undefined)
    .map((port) => `${valueAt(port, "hostPort")}/${stringAt(port, "protocol") ?? "TCP"}`);
}

/**
 * Returns the scheduler's reason if the node has too few resources for the pod, for example `Insufficient cpu`. Counts only the
 * resource requests of pods, or their limits if a request is missing.
 */
function lacking(pod: KubeObject, node: KubeObject, others: readonly KubeObject[]): string | undefined {
  const allocatable = objectAt(node, "status", "allocatable");
  const most = numberOf(allocatable.pods);
  if (most !== undefined && others.length + 1 > most) return "Too many pods";
  for (const [name, wanted] of Object.entries(requests(pod))) {
    const there = numberOf(allocatable[name]);
    if (wanted === 0) continue;
    const used = others.reduce((sum, each) => sum + (requests(each)[name] ?? 0), 0);
    if (there === undefined && (name === "cpu" || name === "memory")) continue;
    if (used + wanted > (there ?? 0)) return `Insufficient ${name}`;
  }
  return undefined;
}

function requests(pod: KubeObject): Readonly<Record<string, number>> {
  const sum: Record<string, number> = {};
  for (const container of listAt(pod, "spec", "containers")) {
    const wanted = {
      ...objectAt(container, "resources", "limits"),
      ...objectAt(container, "resources", "requests"),
    };
    for (const [name, quantity] of Object.entries(wanted)) {
      sum[name] = (sum[name] ?? 0) + (numberOf(quantity) ?? 0);
    }
  }
  return sum;
}

/** Converts a resource quantity to a number. `undefined` if the quantity is invalid. */
function numberOf(quantity: unknown): number | undefined {
  const number = quantityOf(String(quantity));
  return Number.isNaN(number) ? undefined : number;
}

function isActive(pod: KubeObject): boolean {
  const phase = stringAt(pod, "status", "phase");
  return phase !== "Succeeded" && phase !== "Failed";
}
