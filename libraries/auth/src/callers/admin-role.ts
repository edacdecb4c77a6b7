/** Administrator roles in ascending order. Each role includes the rights of the preceding roles. */
export const adminRoles = ["reader", "operator", "elevated"] as const;
export type AdminRole = (typeof adminRoles)[number];

/** Rights of an admitted caller: `true` for all rights, or a role. */
export type Rights = true | AdminRole;

/** Caller identified by a token. */
interface AdmittedSubject {
  readonly rights: Rights;
  /** Identifier that the caller cannot choose. */
  readonly subject: string;
  /** True if the caller may name its user in request headers. */
  readonly vouchesForNames: boolean;
  /** User name, for display only. Users can change their names. */
  readonly name?: string;
}

/** Authorization result for a caller. A certificate rule returns no subject, because the certificate contains it. */
export type Admission = boolean | AdminRole | AdmittedSubject;

/** Returns the rights of an admission. Returns false for a rejected caller. */
export function rightsOf(admission: Admission): false | Rights {
  return typeof admission === "object" ? admission.rights : admission;
}

export function hasRole(admission: Admission, needed: AdminRole): boolean {
  const rights = rightsOf(admission);
  if (typeof rights === "boolean") return rights;
  return adminRoles.indexOf(rights) >= adminRoles.indexOf(needed);
}

/**
 * Returns the highest role assigned to one of the groups or application roles in `held`. Returns undefined if no role is
 * assigned.
 */
export function greatestRole(
  held: readonly unknown[],
  assigned: Readonly<Partial<Record<AdminRole, readonly string[]>>>,
): AdminRole | undefined {
  const names = new Set(held.map((each) => String(each).toLowerCase()));
  return adminRoles.findLast((role) => assigned[role]?.some((name) => names.has(name.toLowerCase())));
}
