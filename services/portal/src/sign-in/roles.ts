import type { Role } from "@keelson/portal-api";

/** Which groups of the directory may do what, by their object IDs. */
export interface PortalGroups {
  /** May read. */
  readonly access: readonly string[];
  /** May do what changes little. */
  readonly operator: readonly string[];
  /** May do everything. */
  readonly elevated: readonly string[];
}

/** The greatest role that one of the groups gives; `undefined` where none gives any. */
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
