import { readFileSync } from "node:fs";
import { atOnce, type KubeObject } from "@keelson/apimachinery";
import { aggregateRules, aggregationOf } from "../auth/aggregate-rules.ts";
import { autoUpdate } from "./reconcile-policy.ts";

const group = "rbac.authorization.k8s.io";
const apiVersion = `${group}/v1`;
const aggregateTo = `${group}/aggregate-to-`;
const read = ["get", "list", "watch"];
const write = ["create", "delete", "deletecollection", "patch", "update"];
const verbSets: Readonly<Record<string, readonly string[]>> = {
  read,
  write,
  all: [...read, ...write].sort(),
};

let made: readonly KubeObject[] | undefined;

/**
 * Returns the default roles and bindings of a cluster, including the rules of aggregated roles. Computed once for all clusters.
 */
export function bootstrapPolicy(): readonly KubeObject[] {
  made ??= makePolicy();
  return made;
}

/**
 * Reads the default roles and bindings of every Kubernetes cluster.
 *
 * `bootstrap-roles.txt` has one role per block. `namespace/name` is a Role. `of` is the label that an aggregated role selects.
 * `into` lists the labels of a role that is aggregated. Each rule has verbs, groups, resources and optional object names, or verbs
 * and paths. `read` means get, list and watch. `write` means create, delete, deletecollection, patch and update. `all` means the
 * verbs of `read` and `write`.
 *
 * `bootstrap-role-bindings.txt` has one binding per line: the binding, its subjects and, after `to`, the role. A line without a
 * role means the role with the binding's name. Controller roles (`system:controller:`) are bound to the service account of the
 * same name in kube-system.
 */
function makePolicy(): readonly KubeObject[] {
  const plain = textOf("bootstrap-roles.txt")
    .split(/\n(?! )/)
    .map(roleOf);
  // Aggregated roles can select other aggregated roles: admin includes edit, edit includes view. Each iteration resolves one
  // level.
  const roles = [1, 2, 3].reduce((all) => all.map((role) => aggregated(role, all)), plain);
  const controllers = roles.flatMap(({ kind, metadata: { name } }) =>
    kind === "ClusterRole" && name.startsWith("system:controller:")
      ? [`${name} ServiceAccount:kube-system/${name.slice("system:controller:".length)}`]
      : [],
  );
  const bindings = textOf("bootstrap-role-bindings.txt").split("\n");
  return [...roles, ...[...bindings, ...controllers].map(bindingOf)];
}

function textOf(file: string): string {
  return readFileSync(new URL(file, import.meta.url), "utf8").trim();
}

function aggregated(role: KubeObject, all: readonly KubeObject[]): KubeObject {
  if (aggregationOf(role).length === 0) return role;
  const named = all
    .map((object) => ({ key: object.metadata.name, labels: object.metadata.labels ?? {}, object }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  return { ...role, rules: atOnce(aggregateRules(role, named)) };
}

function roleOf(block: string): KubeObject {
  const [head = "", ...lines] = block.split("\n");
  const [, place = "", of, into] = /^(\S+)(?: of (\S+))?(?: into (\S+))?$/.exec(head) ?? [];
  const parts = into ? into.split(",") : [];
  const clusterRoleSelectors = of ? [{ matchLabels: { [`${aggregateTo}${of}`]: "true" } }] : [];
  return {
    apiVersion,
    kind: place.includes("/") ? "Role" : "ClusterRole",
    metadata: metadataOf(place, Object.fromEntries(parts.map((part) => [`${aggregateTo}${part}`, "true"]))),
    ...(of ? { aggregationRule: { clusterRoleSelectors } } : {}),
    rules: lines.map(ruleOf),
  };
}

function ruleOf(line: string): Readonly<Record<string, readonly string[]>> {
  const [verbText = "", groups = "", resources = "", names] = line.trim().split(" ");
  const verbs = verbText.split(",").flatMap((each) => verbSets[each] ?? [each]);
  if (groups.startsWith("path:")) return { nonResourceURLs: groups.slice("path:".length).split(","), verbs };
  return {
    apiGroups: groups.split(",").map((each) => (each === "core" ? "" : each)),
    ...(names ? { resourceNames: names.split(",") } : {}),
    resources: resources.split(","),
    verbs,
  };
}

function bindingOf(line: string): KubeObject {
  const [place = "", ...words] = line.split(" ");
  const to = words.indexOf("to");
  const subjects = to < 0 ? words : words.slice(0, to);
  const isLocal = place.includes("/");
  const name = words[to + 1] ?? "";
  return {
    apiVersion,
    kind: isLocal ? "RoleBinding" : "ClusterRoleBinding",
    metadata: metadataOf(place, {}),
    roleRef: {
      apiGroup: group,
      kind: isLocal ? "Role" : "ClusterRole",
      name: to < 0 ? place.slice(place.indexOf("/") + 1) : name,
    },
    subjects: subjects.map(subjectOf),
  };
}

function subjectOf(text: string): Readonly<Record<string, string>> {
  const kind = text.slice(0, text.indexOf(":"));
  const name = text.slice(kind.length + 1);
  if (kind !== "ServiceAccount") return { apiGroup: group, kind, name };
  const [namespace = "", account = ""] = name.split("/");
  return { kind, name: account, namespace };
}

function metadataOf(place: string, labels: Readonly<Record<string, string>>): KubeObject["metadata"] {
  const slash = place.indexOf("/");
  return {
    name: place.slice(slash + 1),
    ...(slash > 0 ? { namespace: place.slice(0, slash) } : {}),
    labels: { "kubernetes.io/bootstrapping": "rbac-defaults", ...labels },
    annotations: { [autoUpdate]: "true" },
  };
}
