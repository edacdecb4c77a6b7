import { setImmediate } from "node:timers/promises";
import type { ClusterClient, PolicyRule } from "@keelson/apiserver";
import { listAt } from "@keelson/base";
import { failures } from "../failures.ts";

type RoleReader = Pick<ClusterClient, "find">;

/** Maximum number of different scopes. Each scope can name a role, and the roles can be large. */
const maxScopes = 100;
const clusterRoles = { group: "rbac.authorization.k8s.io", version: "v1", resource: "clusterroles" };
const authorization = "authorization.openshift.io";

/** Resources that a role scope does not allow unless the scope ends in `:!`. */
const escalating: readonly (readonly [group: string, resource: string])[] = [
  ["", "secrets"],
  ["network.openshift.io", "service/externalips"],
  ...["image.openshift.io", ""].map((group) => [group, "imagestreams/secrets"] as const),
  ...["oauth.openshift.io", ""].flatMap((group) =>
    ["oauthauthorizetokens", "oauthaccesstokens"].map((resource) => [group, resource] as const),
  ),
  ...[authorization, ""].flatMap((group) =>
    ["roles", "rolebindings", "clusterroles", "clusterrolebindings"].map(
      (resource) => [group, resource] as const,
    ),
  ),
];

const discovery: PolicyRule = {
  ...empty(),
  verbs: ["get"],
  nonResourceURLs: [
    ...["/version", "/api", "/apis", "/oapi", "/swaggerapi", "/.well-known"].flatMap((path) => [
      path,
      `${path}/*`,
    ]),
    ...["/openapi/v2", "/swagger.json", "/swagger-2.0.0.pb-v1", "/osapi", "/osapi/", "/"],
  ],
};

const projects = rule(["list", "watch"], ["project.openshift.io", ""], "projects");
const userScopes: Readonly<Record<string, readonly PolicyRule[]>> = {
  "user:info": [{ ...rule(["get"], ["user.openshift.io", ""], "users"), resourceNames: ["~"] }],
  "user:check-access": [
    rule(["create"], ["authorization.k8s.io"], "selfsubjectaccessreviews"),
    rule(["create"], [authorization, ""], "selfsubjectrulesreviews"),
  ],
  "user:list-scoped-projects": [projects],
  "user:list-projects": [projects, rule(["get"], [""], "namespaces")],
  "user:full": [rule(["*"], ["*"], "*"), { ...empty(), verbs: ["*"], nonResourceURLs: ["*"] }],
};

/**
 * Returns the rules that scopes of a token allow in a namespace, and an error message for each invalid scope. If a scope is
 * invalid, no role is read and the rules are incomplete. Source: openshift/apiserver-library-go `pkg/authorization/scope`.
 * @throws StatusError 400 if there are too many scopes
 */
export async function scopeRules(
  { client }: { readonly client: RoleReader },
  scopes: readonly string[],
  namespace: string,
): Promise<{ readonly rules: readonly PolicyRule[]; readonly errors: readonly string[] }> {
  const rules: PolicyRule[] = [discovery];
  const errors: string[] = [];
  /** Names of the allowed roles. The value is true if a scope allows the role's escalating resources. */
  const roles = new Map<string, boolean>();
  for (const scope of distinct(scopes)) {
    const own = Object.hasOwn(userScopes, scope) ? userScopes[scope] : undefined;
    if (own) rules.push(...own);
    else if (scope.startsWith("user:")) errors.push(`unrecognized scope: ${scope}`);
    else if (!scope.startsWith("role:")) errors.push(`no scope evaluator found for ${JSON.stringify(scope)}`);
    else {
      const role = parseRoleScope(scope);
      if (!role) errors.push(`bad format for scope ${scope}`);
      else if (role.namespace === "*" || role.namespace === namespace)
        roles.set(role.name, role.escalating || roles.get(role.name) === true);
    }
  }
  if (errors.length > 0) return { rules, errors };
  for (const [name, escalating] of roles) {
    const found = await rulesOfRole(client, name);
    for (const each of escalating ? found : found.flatMap(withoutEscalation)) rules.push(each);
    // The in-process client does not wait for I/O. Without this pause, other requests could not run between two roles.
    await setImmediate();
  }
  return { rules, errors };
}

/** Removes repeated scopes. @throws StatusError 400 */
function distinct(scopes: readonly string[]): ReadonlySet<string> {
  const found = new Set(scopes);
  if (found.size <= maxScopes) return found;
  const field = "spec.scopes";
  const message = `Too many: ${found.size}: must have at most ${maxScopes} items`;
  throw failures.badRequest(`${field}: ${message}`, [{ reason: "FieldValueTooMany", message, field }]);
}

/** Parses `role:NAME:NAMESPACE`, optionally followed by `:!`. The name of a role can contain colons. */
function parseRoleScope(
  scope: string,
): { readonly name: string; readonly namespace: string; readonly escalating: boolean } | undefined {
  const escalates = scope.endsWith(":!");
  const place = (escalates ? scope.slice(0, -2) : scope).slice("role:".length);
  const colon = place.lastIndexOf(":");
  if (colon <= 0 || colon === place.length - 1) return undefined;
  return { name: place.slice(0, colon), namespace: place.slice(colon + 1), escalating: escalates };
}

/** Returns the rules of a ClusterRole. A missing role has no rules, as in OpenShift. */
async function rulesOfRole(client: RoleReader, name: string): Promise<readonly PolicyRule[]> {
  return listAt(await client.find(clusterRoles, { name }), "rules").map((each) => ({
    verbs: listAt(each, "verbs").map(String),
    apiGroups: listAt(each, "apiGroups").map(String),
    resources: listAt(each, "resources").map(String),
    resourceNames: listAt(each, "resourceNames").map(String),
    nonResourceURLs: listAt(each, "nonResourceURLs").map(String),
  }));
}

/** Removes rules with wildcards, and resources with which a token could get more permissions. */
function withoutEscalation(of: PolicyRule): readonly PolicyRule[] {
  if ([of.verbs, of.apiGroups, of.resources].some((list) => list.includes("*"))) return [];
  const removed = escalating
    .filter(([group]) => of.apiGroups.includes(group))
    .map(([, resource]) => resource);
  return [{ ...of, resources: of.resources.filter((resource) => !removed.includes(resource)) }];
}

function empty(): PolicyRule {
  return { verbs: [], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };
}

function rule(verbs: readonly string[], apiGroups: readonly string[], resource: string): PolicyRule {
  return { ...empty(), verbs, apiGroups, resources: [resource] };
}
