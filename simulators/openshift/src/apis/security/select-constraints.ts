import {
  allAuthenticated,
  type ClusterClient,
  type KubeObject,
  type LogicalCluster,
  serviceAccountGroups,
  serviceAccountName,
  sharedTurns,
  type User,
} from "@keelson/apiserver";
import { listAt, objectAt, stringAt } from "@keelson/base";
import { resources } from "../../base/resources.ts";
import { inAdmissionOrder } from "./constraint-order.ts";
import { constraintViolations, type PodPlace } from "./constraint-violations.ts";

const group = "security.openshift.io";
const plural = "securitycontextconstraints";
const constraintsRef = { group, version: "v1", resource: plural };
const rangeAnnotation = "openshift.io/sa.scc.uid-range";
const controlPlaneLabels = ["node-role.kubernetes.io/master", "node-role.kubernetes.io/control-plane"];

/** Maximum length of all reasons of a rejection. Further reasons are omitted. */
const maxReasonsLength = 65_536;
/** Number of checked list entries after which other work of the event loop can run. */
const entriesAtOnce = 5_000;

export interface SelectionDeps {
  readonly client: ClusterClient;
  readonly logical: Pick<LogicalCluster, "allows">;
}

/** Constraints that admit a pod, or the reasons for its rejection. */
export type Selection =
  | { readonly kind: "admitted"; readonly name: string }
  | { readonly kind: "refused"; readonly reasons: readonly string[] };

/**
 * Selects the SecurityContextConstraints for a pod. Returns the first constraints in admission order that admit the pod and that
 * one of `subjects` may use. Without subjects, all constraints are considered. Source: openshift/apiserver-library-go `pkg/securitycontextconstraints/sccadmission/admission.go`.
 */
export async function selectConstraints(
  deps: SelectionDeps,
  pod: KubeObject,
  namespace: string,
  subjects: readonly User[],
): Promise<Selection> {
  const { items } = await deps.client.list(constraintsRef);
  const place = await placeOf(deps.client, pod, namespace);
  const reasons: string[] = [];
  let left = maxReasonsLength;
  const refuse = (reason: string): void => {
    left -= reason.length;
    if (left >= 0) reasons.push(reason);
  };
  const podEntries = entriesOf(pod.spec);
  let entries = 0;
  for (const constraints of inAdmissionOrder(items)) {
    const { name } = constraints.metadata;
    entries += 1 + podEntries + entriesOf(constraints);
    if (entries > entriesAtOnce) {
      entries = 0;
      await sharedTurns.wait(deps.client);
    }
    if (!(await isUsable(deps, constraints, namespace, subjects))) {
      refuse(`provider "${name}": Forbidden: not usable by user or serviceaccount`);
      continue;
    }
    let isAdmitted = true;
    for (const violation of constraintViolations(constraints, pod, place)) {
      isAdmitted = false;
      refuse(violation);
      if (left <= 0) break;
    }
    if (isAdmitted) return { kind: "admitted", name };
  }
  if (left < 0) reasons.push("further reasons are omitted");
  return { kind: "refused", reasons };
}

/** Returns the number of entries in the lists of a pod's spec or of constraints. An object counts as several entries. */
function entriesOf(value: unknown): number {
  let count = 0;
  for (const list of Object.values(objectAt(value)))
    if (Array.isArray(list))
      for (const entry of list) count += typeof entry === "object" && entry !== null ? 4 : 1;
  return count;
}

/** Returns the service account of a pod as a user. */
export function serviceAccountOf(pod: KubeObject, namespace: string): User {
  const name = stringAt(pod, "spec", "serviceAccountName") || "default";
  return {
    name: serviceAccountName(namespace, name),
    groups: [...serviceAccountGroups(namespace), allAuthenticated],
  };
}

async function isUsable(
  { logical }: SelectionDeps,
  constraints: KubeObject,
  namespace: string,
  subjects: readonly User[],
): Promise<boolean> {
  const { name } = constraints.metadata;
  if (subjects.length === 0) return true;
  const [users, groups] = ["users", "groups"].map((field) => new Set(listAt(constraints, field)));
  for (const subject of subjects) {
    if (users?.has(subject.name) || subject.groups.some((each) => groups?.has(each))) return true;
    const use = { kind: "resource", verb: "use", group, resource: plural, namespace, name } as const;
    if (await logical.allows(subject, use)) return true;
  }
  return false;
}

async function placeOf(client: ClusterClient, pod: KubeObject, namespace: string): Promise<PodPlace> {
  const nodeName = stringAt(pod, "spec", "nodeName");
  const [owner, node] = await Promise.all([
    client.find(resources.namespaces, { name: namespace }),
    nodeName ? client.find(resources.nodes, { name: nodeName }) : undefined,
  ]);
  const [, first, size] =
    /^(\d{1,10})\/(\d{1,10})$/.exec(owner?.metadata.annotations?.[rangeAnnotation] ?? "") ?? [];
  const selectors = [node?.metadata.labels ?? {}, objectAt(pod, "spec", "nodeSelector")];
  return {
    uids: first && size ? { first: Number(first), last: Number(first) + Number(size) - 1 } : undefined,
    isControlPlane:
      controlPlaneLabels.some((label) => selectors.some((each) => label in each)) ||
      requiredLabels(pod).some((label) => controlPlaneLabels.includes(label)),
  };
}

/** Returns the node labels in a pod's required node affinity. Labels with the operators DoesNotExist and NotIn are excluded. */
function requiredLabels(pod: KubeObject): readonly string[] {
  const required = ["nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms"];
  return listAt(pod, "spec", "affinity", ...required)
    .flatMap((term) => listAt(term, "matchExpressions"))
    .filter((each) => !["DoesNotExist", "NotIn"].includes(stringAt(each, "operator") ?? ""))
    .map((each) => stringAt(each, "key") ?? "");
}
