import type { Role } from "@keelson/portal-api";

/** Object IDs of directory groups, by role. */
export interface PortalGroups {
  /** Groups with read access. */
  readonly access: readonly string[];
  /** Groups that may read and also run low-risk actions. */
  readonly operator: readonly string[];
  /** Groups with all permissions. */
  readonly elevated: readonly string[];
}

/** Returns the highest role that one of the groups has. Undefined if none of the groups has a role. */
export function roleOf(groups: readonly string[], configured: PortalGroups): Role | undefined {
  const held = new Set(groups.map((each) => each.toLowerCase()));
  const isIn = (ids: readonly string[]) => ids.some((id) => held.has(id.toLowerCase()));
  if (isIn(configured.elevated)) return "elevated";
  if (isIn(configured.operator)) return "operator";
  return isIn(configured.access) ? "reader" : undefined;
}

export function configuredGroups({ access, operator, elevated }: PortalGroups): readonly string[] {
  return [...new Set([...access, ...operator, ...elevated])];
}
