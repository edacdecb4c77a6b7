/** What administrators may do, from the least to the most: each may also do what those before it may. */
export const adminRoles = ["reader", "operator", "elevated"] as const;
export type AdminRole = (typeof adminRoles)[number];

/** Whether a caller is admitted: `true` with all rights, a role with those of the role. */
export type Admission = boolean | AdminRole;

export function hasRole(admission: Admission, needed: AdminRole): boolean {
  if (typeof admission === "boolean") return admission;
  return adminRoles.indexOf(admission) >= adminRoles.indexOf(needed);
}

/** The greatest of the roles that one of `held` stands for, by groups or application roles; `undefined` where none does. */
export function greatestRole(
  held: readonly unknown[],
  assigned: Readonly<Partial<Record<AdminRole, readonly string[]>>>,
): AdminRole | undefined {
  const names = new Set(held.map((each) => String(each).toLowerCase()));
  return adminRoles.findLast((role) => assigned[role]?.some((name) => names.has(name.toLowerCase())));
}
