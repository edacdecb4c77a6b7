/** Who makes a request (authentication.k8s.io/v1 UserInfo). */
export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  /** What authenticators add, for example the pod that a token belongs to. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export const allAuthenticated = "system:authenticated";
export const allUnauthenticated = "system:unauthenticated";
export const superusers = "system:masters";

/** A request without credentials: it may do what is granted to everyone. */
export const anonymous: User = { name: "system:anonymous", groups: [allUnauthenticated] };

/** The user of the in-process client. */
export const administrator: User = { name: "system:admin", groups: [superusers, allAuthenticated] };

export function authenticated(name: string, groups: readonly string[], rest: Partial<User> = {}): User {
  return { ...rest, name, groups: [...new Set([...groups, allAuthenticated])] };
}

/** A user as reviews and admission webhooks show it. */
export function userInfo({ name, uid, groups, extra }: User): Record<string, unknown> {
  return { username: name, ...(uid ? { uid } : {}), groups, ...(extra ? { extra } : {}) };
}

/** The name of a service account as a user, and the groups it has for that. */
export function serviceAccountName(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

export function serviceAccountGroups(namespace: string): readonly string[] {
  return ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
}

/** The service account that a user name means. */
export function parseServiceAccountName(
  user: string,
): { readonly namespace: string; readonly name: string } | undefined {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user) ?? [];
  return namespace && name ? { namespace, name } : undefined;
}
