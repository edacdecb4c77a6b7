/** User of a request (authentication.k8s.io/v1 UserInfo). */
export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  /** Additional attributes from the authenticator, such as the pod of a token. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export const allAuthenticated = "system:authenticated";
export const allUnauthenticated = "system:unauthenticated";
export const superusers = "system:masters";

/** User of requests without credentials. */
export const anonymous: User = { name: "system:anonymous", groups: [allUnauthenticated] };

/** User of the in-process client. */
export const administrator: User = { name: "system:admin", groups: [superusers, allAuthenticated] };

export function authenticated(name: string, groups: readonly string[], rest: Partial<User> = {}): User {
  return { ...rest, name, groups: [...new Set([...groups, allAuthenticated])] };
}

/** Returns a user in the format of reviews and admission webhooks. */
export function userInfo({ name, uid, groups, extra }: User): Record<string, unknown> {
  return { username: name, ...(uid ? { uid } : {}), groups, ...(extra ? { extra } : {}) };
}

/** Returns the user name of a service account. */
export function serviceAccountName(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

export function serviceAccountGroups(namespace: string): readonly string[] {
  return ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
}

/** Parses the user name of a service account. Returns undefined for other users. */
export function parseServiceAccountName(
  user: string,
): { readonly namespace: string; readonly name: string } | undefined {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user) ?? [];
  return namespace && name ? { namespace, name } : undefined;
}
