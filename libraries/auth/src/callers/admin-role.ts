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
  /** True if the caller may send its user's name in request headers. */
  readonly vouchesForNames: boolean;
  /** User name, for display only. Users can change their names. */
  readonly name?: string;
  /**
   * Activation of the role `elevated`. The start time `from` (RFC 3339) identifies the activation. Undefined if the role needs no
   * activation.
   */
  readonly elevation?: { readonly from: string; readonly until: Date };
}

/** Authorization result for a caller. Certificate rules return no subject, because the subject is read from the certificate. */
export type Admission = boolean | AdminRole | AdmittedSubject;

/** Returns the rights that an admission grants. Returns false for a rejected caller. */
export function rightsOf(admission: Admission): false | Rights {
  return typeof admission === "object" ? admission.rights : admission;
}

export function hasRole(admission: Admission, needed: AdminRole): boolean {
  const rights = rightsOf(admission);
  if (typeof rights === "boolean") return rights;
  return adminRoles.indexOf(rights) >= adminRoles.indexOf(needed);
}

/**
 * Returns the highest administrator role that is assigned to one of the caller's groups or application roles (`held`). Returns
 * undefined if no role is assigned.
 */
export function greatestRole(
  held: readonly unknown[],
  assigned: Readonly<Partial<Record<AdminRole, readonly string[]>>>,
): AdminRole | undefined {
  const names = new Set(held.map((each) => String(each).toLowerCase()));
  return adminRoles.findLast((role) => assigned[role]?.some((name) => names.has(name.toLowerCase())));
}
