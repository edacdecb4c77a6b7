import { isDeepStrictEqual } from "node:util";
import { arrayAt, recordAt, textAt } from "../json/access.ts";
import type { KubeObject } from "../kube-object.ts";
import type { AdmissionRequest } from "../registry/admission.ts";
import { failures } from "../status/status-error.ts";
import { type PolicyRule, parseRule } from "./policy-rule.ts";
import type { RbacAuthorizer } from "./rbac.ts";
import { missingRights } from "./rule-coverage.ts";
import { superusers, type User } from "./user.ts";

const group = "rbac.authorization.k8s.io";
const roles: ReadonlySet<string> = new Set([`${group}/roles`, `${group}/clusterroles`]);
const bindings: ReadonlySet<string> = new Set([`${group}/rolebindings`, `${group}/clusterrolebindings`]);
const everything: readonly PolicyRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"], resourceNames: [], nonResourceURLs: [] },
  { verbs: ["*"], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ["*"] },
];

/** Whether a write could give somebody rights, and its author is not above such questions. */
export function mayEscalate({ operation, resource, user }: AdmissionRequest): boolean {
  if (operation !== "CREATE" && operation !== "UPDATE") return false;
  if (user.groups.includes(superusers)) return false;
  return roles.has(resource.bucket) || bindings.has(resource.bucket);
}

/**
 * Nobody grants what they do not hold themselves, unless they may `escalate` roles or `bind` the role.
 * @throws StatusError 403, and 404 for a binding to a role that is not there
 */
export function confirmNoEscalation(authorizer: RbacAuthorizer, request: AdmissionRequest): void {
  const { object, oldObject } = request;
  if (!object || (oldObject && changesOnlyOwners(object, oldObject))) return;
  if (roles.has(request.resource.bucket)) confirmRole(authorizer, request, object);
  else confirmBinding(authorizer, request, object);
}

function confirmRole(authorizer: RbacAuthorizer, request: AdmissionRequest, role: KubeObject): void {
  const { user, namespace = "", resource, operation, oldObject } = request;
  const plural = resource.type.plural;
  const name = operation === "CREATE" ? "" : request.name;
  if (
    authorizer.allows(user, { kind: "resource", verb: "escalate", group, resource: plural, namespace, name })
  ) {
    return;
  }
  requireHeld(authorizer, request, arrayAt(role, "rules").map(parseRule));
  if (!isAggregated(role) && !isAggregated(oldObject)) return;
  const held = authorizer.rulesOf(user, namespace).rules;
  if (missingRights(held, everything).length === 0) return;
  throw failures.forbidden(
    { group, resource: plural },
    role.metadata.name,
    "must have cluster-admin privileges to use the aggregationRule",
  );
}

function confirmBinding(authorizer: RbacAuthorizer, request: AdmissionRequest, binding: KubeObject): void {
  const { user, namespace = "" } = request;
  const role = {
    kind: textAt(binding, "roleRef", "kind") === "Role" ? "Role" : "ClusterRole",
    name: textAt(binding, "roleRef", "name"),
  } as const;
  const resource = role.kind === "Role" ? "roles" : "clusterroles";
  const { name } = role;
  if (authorizer.allows(user, { kind: "resource", verb: "bind", group, resource, namespace, name })) return;
  requireHeld(authorizer, request, authorizer.rulesOfRole(role, namespace));
}

function requireHeld(
  authorizer: RbacAuthorizer,
  { user, namespace = "", resource, object }: AdmissionRequest,
  wanted: readonly PolicyRule[],
): void {
  const { rules, missing } = authorizer.rulesOf(user, namespace);
  const lacking = missingRights(rules, wanted);
  if (lacking.length === 0) return;
  const errors = missing.length > 0 ? `; resolution errors: [${missing.join(", ")}]` : "";
  throw failures.forbidden(
    { group, resource: resource.type.plural },
    object?.metadata.name ?? "",
    `${shownUser(user)} is attempting to grant RBAC permissions not currently held:\n${lacking.join("\n")}${errors}`,
  );
}

function shownUser({ name, groups }: User): string {
  const shown = groups.map((each) => JSON.stringify(each)).join(" ");
  return `user ${JSON.stringify(name)} (groups=[${shown}])`;
}

function isAggregated(role: KubeObject | undefined): boolean {
  return arrayAt(role, "aggregationRule", "clusterRoleSelectors").length > 0;
}

/** What the garbage collector does to objects grants nothing. */
function changesOnlyOwners(object: KubeObject, oldObject: KubeObject): boolean {
  return isDeepStrictEqual(withoutOwners(object), withoutOwners(oldObject));
}

function withoutOwners(object: KubeObject): object {
  const {
    ownerReferences: _o,
    finalizers: _f,
    resourceVersion: _r,
    managedFields: _m,
    ...metadata
  } = recordAt(object, "metadata");
  return { ...object, metadata };
}
