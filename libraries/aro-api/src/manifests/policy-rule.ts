/** A rule of a Role (rbac.authorization.k8s.io/v1 PolicyRule). */
export interface PolicyRule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

/** RBAC rules of one operator role: cluster-wide rules and rules by namespace. */
export interface RoleRules {
  readonly cluster: readonly PolicyRule[];
  readonly namespaces: Readonly<Record<string, readonly PolicyRule[]>>;
}

export const reading = ["get", "list", "watch"];
/** Verbs that a role needs for server-side apply and for deletion. */
export const keeping = [...reading, "create", "patch", "delete"];

/** Creates a rule for several resources of one API group. `plurals` are separated by spaces. */
export function on(
  group: string,
  plurals: string,
  verbs: readonly string[],
  names?: readonly string[],
): PolicyRule {
  const resources = plurals.split(" ");
  return { apiGroups: [group], resources, ...(names ? { resourceNames: names } : {}), verbs };
}
