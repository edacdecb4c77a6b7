import type { KubeObject } from "@keelson/apiserver";
import { listAt, objectAt, stringAt, valueAt } from "@keelson/base";
import { conditionStatus } from "@keelson/kube";
import { selectsLabels } from "../../base/label-selector.ts";
import type { NodeOccupancy } from "./node-occupancy.ts";
import { numberOf, occupiesNode, type PodDemand, podDemand } from "./pod-demand.ts";

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

/** Pods of the nodes, as sums and as lists. The lists are read only for pods with anti-affinity. */
export interface PodsOnNodes {
  occupancyOf(node: string): NodeOccupancy;
  podsOn(node: string): readonly KubeObject[];
}

interface Candidate {
  readonly node: KubeObject;
  readonly load: number;
  readonly disliked: number;
}

/** Selects the least loaded ready node on which the pod fits. */
export function chooseNode(pod: KubeObject, nodes: readonly KubeObject[], present: PodsOnNodes): NodeChoice {
  const reasons = new Map<string, number>();
  const wish = wishOf(pod);
  let best: Candidate | undefined;
  // The loop uses precomputed requirements of the pod and facts of the node, because a cluster can have a thousand nodes.
  for (const node of nodes) {
    const occupancy = present.occupancyOf(node.metadata.name);
    const reason = obstacle(pod, wish, node, occupancy, present);
    if (reason) {
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      continue;
    }
    const disliked = dislike(wish, node, occupancy);
    const candidate = { node, load: occupancy.pods, disliked };
    if (best === undefined || compareCandidates(candidate, best) < 0) best = candidate;
  }
  if (best) return { kind: "node", node: best.node };
  const listed = [...reasons].map(([reason, count]) => `${count} ${reason}`).toSorted();
  const why = listed.length > 0 ? listed.join(", ") : "no nodes available to schedule pods";
  return { kind: "none", message: `0/${nodes.length} nodes are available: ${why}.` };
}

function compareCandidates(a: Candidate, b: Candidate): number {
  return a.disliked - b.disliked || a.load - b.load || (a.node.metadata.name < b.node.metadata.name ? -1 : 1);
}

/** Properties of a pod that are compared with each node. */
interface Wish {
  readonly demand: PodDemand;
  readonly tolerations: readonly unknown[];
  readonly selection: NodeSelection;
  /** Required anti-affinity terms with the topology key `kubernetes.io/hostname`. */
  readonly antiAffinity: readonly unknown[];
}

function wishOf(pod: KubeObject): Wish {
  const antiAffinity = listAt(
    pod,
    "spec",
    "affinity",
    "podAntiAffinity",
    "requiredDuringSchedulingIgnoredDuringExecution",
  ).filter((term) => stringAt(term, "topologyKey") === "kubernetes.io/hostname");
  const tolerations = listAt(pod, "spec", "tolerations");
  return { demand: podDemand(pod), tolerations, selection: selectionOf(pod.spec), antiAffinity };
}

/** Properties of a node that do not depend on its pods. */
interface NodeFacts {
  readonly unschedulable: boolean;
  readonly ready: boolean;
  readonly blockingTaints: readonly unknown[];
  readonly softTaints: readonly unknown[];
  readonly allocatable: ReadonlyMap<string, number>;
}

/** Facts by node object. Node objects are immutable. */
const knownFacts = new WeakMap<KubeObject, NodeFacts>();

function factsOf(node: KubeObject): NodeFacts {
  const known = knownFacts.get(node);
  if (known) return known;
  const taints = listAt(node, "spec", "taints");
  const withEffect = (effects: readonly string[]) =>
    taints.filter((taint) => effects.includes(stringAt(taint, "effect") ?? ""));
  const amounts = Object.entries(objectAt(node, "status", "allocatable")).flatMap(
    ([name, quantity]): [string, number][] => {
      const amount = numberOf(quantity);
      return amount === undefined ? [] : [[name, amount]];
    },
  );
  const facts = {
    unschedulable: valueAt(node, "spec", "unschedulable") === true,
    ready: conditionStatus(node, "Ready") === "True",
    blockingTaints: withEffect(blocking),
    softTaints: withEffect(["PreferNoSchedule"]),
    allocatable: new Map(amounts),
  };
  knownFacts.set(node, facts);
  return facts;
}

/** True if the DaemonSet's pod must run on the node. Checks node selection and taints, but not the readiness of the node. */
export function fitsDaemon(podSpec: unknown, node: KubeObject): boolean {
  const tolerations = [...listAt(podSpec, "tolerations"), ...daemonTolerations];
  return (
    selects(selectionOf(podSpec), node) &&
    untolerated(tolerations, factsOf(node).blockingTaints) === undefined
  );
}

const blocking: readonly string[] = ["NoSchedule", "NoExecute"];

function obstacle(
  pod: KubeObject,
  { demand, tolerations, selection, antiAffinity }: Wish,
  node: KubeObject,
  occupancy: NodeOccupancy,
  present: PodsOnNodes,
): string | undefined {
  const { unschedulable, ready, blockingTaints, allocatable } = factsOf(node);
  if (unschedulable && !toleratesUnschedulable(tolerations)) return "node(s) were unschedulable";
  const taint = untolerated(tolerations, blockingTaints);
  if (taint) {
    const value = stringAt(taint, "value") ?? "";
    return `node(s) had untolerated taint {${stringAt(taint, "key")}: ${value}}`;
  }
  if (!ready) return "node(s) were not ready";
  if (!selects(selection, node)) return "node(s) didn't match Pod's node affinity/selector";
  if (demand.hostPorts.some((port) => occupancy.uses(port)))
    return "node(s) didn't have free ports for the requested pod ports";
  if (antiAffinity.length > 0 && !likesNeighbours(pod, antiAffinity, present.podsOn(node.metadata.name)))
    return "node(s) didn't match pod anti-affinity rules";
  return lacking(demand, allocatable, occupancy);
}

function toleratesUnschedulable(tolerations: readonly unknown[]): boolean {
  const taint = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };
  return tolerations.some((each) => toleratesTaint(each, taint));
}

/** Fields of a pod's spec that select nodes. */
interface NodeSelection {
  /** Entries of `nodeSelector`. */
  readonly labels: readonly (readonly [name: string, value: unknown])[];
  /** Terms of `requiredDuringScheduling...`. Undefined if the pod has no such affinity. */
  readonly terms: readonly unknown[] | undefined;
}

function selectionOf(podSpec: unknown): NodeSelection {
  const path = ["affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"];
  const required = valueAt(podSpec, ...path);
  return {
    labels: Object.entries(objectAt(podSpec, "nodeSelector")),
    terms: required === undefined ? undefined : listAt(required, "nodeSelectorTerms"),
  };
}

/** True if the node matches `nodeSelector` and at least one term of `requiredDuringScheduling...`. */
function selects({ labels: selector, terms }: NodeSelection, node: KubeObject): boolean {
  const labels = node.metadata.labels ?? {};
  if (!selector.every(([name, value]) => labels[name] === value)) return false;
  if (terms === undefined) return true;
  return terms.some((term) => {
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

/** Returns the first taint that the pod does not tolerate (core/v1 Toleration). */
function untolerated(tolerations: readonly unknown[], taints: readonly unknown[]): unknown {
  return taints.find((taint) => !tolerations.some((toleration) => toleratesTaint(toleration, taint)));
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

/** True if the pod's required anti-affinity permits the pods that already run on this node. */
function likesNeighbours(
  pod: KubeObject,
  terms: readonly unknown[],
  neighbours: readonly KubeObject[],
): boolean {
  const others = neighbours.filter(occupiesNode);
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
function dislike({ demand, tolerations }: Wish, node: KubeObject, occupancy: NodeOccupancy): number {
  const soft = untolerated(tolerations, factsOf(node).softTaints) === undefined ? 0 : 1_000;
  return soft + occupancy.siblings(demand.owner);
}

/** Tolerance for the rounding errors of sums that are updated with each pod. */
const rounding = 1e-9;

/** Returns the scheduler's reason if the node has too few resources for the pod, for example `Insufficient cpu`. */
function lacking(
  { requests }: PodDemand,
  allocatable: ReadonlyMap<string, number>,
  occupancy: NodeOccupancy,
): string | undefined {
  const most = allocatable.get("pods");
  if (most !== undefined && occupancy.pods + 1 > most) return "Too many pods";
  for (const [name, wanted] of requests) {
    const there = allocatable.get(name);
    if (wanted === 0) continue;
    if (there === undefined && (name === "cpu" || name === "memory")) continue;
    if (occupancy.requested(name) + wanted > (there ?? 0) * (1 + rounding)) return `Insufficient ${name}`;
  }
  return undefined;
}
