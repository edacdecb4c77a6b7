/** Roles of administrators with ascending rights. Each role includes the rights of the preceding ones. */
export const adminRoles = ["reader", "operator", "elevated"] as const;
export type AdminRole = (typeof adminRoles)[number];

/** Rights of an admitted caller: `true` for all, or those of a role. */
export type Rights = true | AdminRole;

/** A caller that a token identifies. */
interface AdmittedSubject {
  readonly rights: Rights;
  /** Identifier that the caller cannot choose. */
  readonly subject: string;
  /** True if the caller may act for persons that it names in headers. */
  readonly vouchesForNames: boolean;
  /** User name, for display only: its owner can change it. */
  readonly name?: string;
}

/** Decision about a caller. Rules for certificates take the subject from the certificate. */
export type Admission = boolean | AdminRole | AdmittedSubject;

/** Rights of an admission, or false if the caller is refused. */
export function rightsOf(admission: Admission): false | Rights {
  return typeof admission === "object" ? admission.rights : admission;
}

export function hasRole(admission: Admission, needed: AdminRole): boolean {
  const rights = rightsOf(admission);
  if (typeof rights === "boolean") return rights;
  return adminRoles.indexOf(rights) >= adminRoles.indexOf(needed);
}

/**
 * Returns the greatest role assigned to one of the groups or application roles in `held`. Undefined without a
 * role.
 */
export function greatestRole(
  held: readonly unknown[],
  assigned: Readonly<Partial<Record<AdminRole, readonly string[]>>>,
): AdminRole | undefined {
  const names = new Set(held.map((each) => String(each).toLowerCase()));
  return adminRoles.findLast((role) => assigned[role]?.some((name) => names.has(name.toLowerCase())));
}
