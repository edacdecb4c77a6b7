/** Who makes a request. */
export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
}

/** Whoever shows no credentials: may ask for health and version only. */
export const anonymous: User = { name: "system:anonymous", groups: ["system:unauthenticated"] };

/** The user of the in-process client. */
export const administrator: User = {
  name: "system:admin",
  groups: ["system:masters", "system:authenticated"],
};

export function authenticated(name: string, groups: readonly string[]): User {
  return { name, groups: [...new Set([...groups, "system:authenticated"])] };
}
