/** A rule of a Role (rbac.authorization.k8s.io/v1 PolicyRule). */
export interface PolicyRule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

/** Rules of one operator role, for the cluster and by namespace. */
export interface RoleRules {
  readonly cluster: readonly PolicyRule[];
  readonly namespaces: Readonly<Record<string, readonly PolicyRule[]>>;
}

export const reading = ["get", "list", "watch"];
/** Verbs for managing objects by server-side apply. */
export const keeping = [...reading, "create", "patch", "delete"];

/** Creates a rule for kinds of one group. `plurals` are separated by spaces. */
export function on(
  group: string,
  plurals: string,
  verbs: readonly string[],
  names?: readonly string[],
): PolicyRule {
  const resources = plurals.split(" ");
  return { apiGroups: [group], resources, ...(names ? { resourceNames: names } : {}), verbs };
}
