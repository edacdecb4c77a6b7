import { isDeepStrictEqual } from "node:util";
import {
  failures,
  inOwnTurns,
  type KubeObject,
  requestBudget,
  StatusError,
  scalarStringAt,
} from "@keelson/apimachinery";
import { listAt, objectAt } from "@keelson/base";
import { type PolicyRule, parseRule } from "../auth/policy-rule.ts";
import type { RbacAuthorizer } from "../auth/rbac.ts";
import { missingRights } from "../auth/rule-coverage.ts";
import { superusers, type User } from "../auth/user.ts";
import type { AdmissionRequest } from "../resources/admission-request.ts";

const group = "rbac.authorization.k8s.io";
const roles: ReadonlySet<string> = new Set([`${group}/roles`, `${group}/clusterroles`]);
const bindings: ReadonlySet<string> = new Set([`${group}/rolebindings`, `${group}/clusterrolebindings`]);
const everything: readonly PolicyRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"], resourceNames: [], nonResourceURLs: [] },
  { verbs: ["*"], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ["*"] },
];

/** True if a write could grant permissions and the user is not exempt from the check. */
export function mayEscalate({ operation, resource, user }: AdmissionRequest): boolean {
  if (operation !== "CREATE" && operation !== "UPDATE") return false;
  if (user.groups.includes(superusers)) return false;
  return roles.has(resource.bucket) || bindings.has(resource.bucket);
}

/**
 * Rejects roles and bindings that grant more permissions than the user has. Users with the verb `escalate` on the role are
 * exempt. Users with the verb `bind` on the referenced role are exempt too.
 * @throws StatusError 403, or 404 for a binding to a missing role
 */
export async function confirmNoEscalation(
  authorizer: RbacAuthorizer,
  request: AdmissionRequest,
): Promise<void> {
  const { object, oldObject } = request;
  if (!object || (oldObject && changesOnlyOwners(object, oldObject))) return;
  if (roles.has(request.resource.bucket)) await confirmRole(authorizer, request, object);
  else await confirmBinding(authorizer, request, object);
}

async function confirmRole(
  authorizer: RbacAuthorizer,
  request: AdmissionRequest,
  role: KubeObject,
): Promise<void> {
  const { user, namespace = "", resource, oldObject } = request;
  const plural = resource.type.plural;
  // The URL of a POST contains no object name. A permission to escalate one named role therefore does not apply to a POST.
  const name = scalarStringAt(request.options, "kind") === "CreateOptions" ? "" : request.name;
  const escalation = {
    kind: "resource",
    verb: "escalate",
    group,
    resource: plural,
    namespace,
    name,
  } as const;
  if ((await authorizer.decide(user, escalation)).allowed) return;
  await requireHeld(authorizer, request, listAt(role, "rules").map(parseRule));
  if (!isAggregated(role) && !isAggregated(oldObject)) return;
  const held = authorizer.rulesOf(user, namespace).rules;
  if ((await missingOf(authorizer, request, held, everything)).length === 0) return;
  throw failures.forbidden(
    { group, resource: plural },
    role.metadata.name,
    "must have cluster-admin privileges to use the aggregationRule",
  );
}

async function confirmBinding(
  authorizer: RbacAuthorizer,
  request: AdmissionRequest,
  binding: KubeObject,
): Promise<void> {
  const { user, namespace = "" } = request;
  const role = {
    kind: scalarStringAt(binding, "roleRef", "kind") === "Role" ? "Role" : "ClusterRole",
    name: scalarStringAt(binding, "roleRef", "name"),
  } as const;
  const resource = role.kind === "Role" ? "roles" : "clusterroles";
  const { name } = role;
  const bind = { kind: "resource", verb: "bind", group, resource, namespace, name } as const;
  if ((await authorizer.decide(user, bind)).allowed) return;
  await requireHeld(authorizer, request, rulesOfBoundRole(authorizer, request, role));
}

/**
 * Returns the rules of the bound role. The error names the resource of the request, as in kube-apiserver.
 * @throws StatusError 404
 */
function rulesOfBoundRole(
  authorizer: RbacAuthorizer,
  { namespace = "", resource }: AdmissionRequest,
  role: Parameters<RbacAuthorizer["rulesOfRole"]>[0],
): readonly PolicyRule[] {
  try {
    return authorizer.rulesOfRole(role, namespace);
  } catch (error) {
    if (!(error instanceof StatusError) || error.code !== 404) throw error;
    throw failures.notFound({ group, resource: resource.type.plural }, role.name);
  }
}

async function requireHeld(
  authorizer: RbacAuthorizer,
  request: AdmissionRequest,
  wanted: readonly PolicyRule[],
): Promise<void> {
  const { user, namespace = "", resource, object } = request;
  const { rules, missing } = authorizer.rulesOf(user, namespace);
  const lacking = await missingOf(authorizer, request, rules, wanted);
  if (lacking.length === 0) return;
  const errors = missing.length > 0 ? `; resolution errors: [${missing.join(", ")}]` : "";
  throw failures.forbidden(
    { group, resource: resource.type.plural },
    object?.metadata.name ?? "",
    `${shownUser(user)} is attempting to grant RBAC permissions not currently held:\n${lacking.join("\n")}${errors}`,
  );
}

function missingOf(
  { owner }: RbacAuthorizer,
  { budget = requestBudget() }: AdmissionRequest,
  held: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
): Promise<readonly string[]> {
  return inOwnTurns(missingRights(held, wanted, budget), owner);
}

function shownUser({ name, groups }: User): string {
  const shown = groups.map((each) => JSON.stringify(each)).join(" ");
  return `user ${JSON.stringify(name)} (groups=[${shown}])`;
}

function isAggregated(role: KubeObject | undefined): boolean {
  return listAt(role, "aggregationRule", "clusterRoleSelectors").length > 0;
}

/** True if a write changes only owner references, as the garbage collector does. Such a write grants no permissions. */
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
  } = objectAt(object, "metadata");
  return { ...object, metadata };
}
