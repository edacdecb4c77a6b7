import type { Role } from "@keelson/portal-api";

/** Directory groups by role, as object IDs. */
export interface PortalGroups {
  /** Groups that may read. */
  readonly access: readonly string[];
  /** Groups that may also run low-risk actions. */
  readonly operator: readonly string[];
  /** Groups with all rights. */
  readonly elevated: readonly string[];
}

/** Returns the greatest role of the groups. Undefined without a role. */
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
