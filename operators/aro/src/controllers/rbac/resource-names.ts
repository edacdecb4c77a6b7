import type { PolicyRule } from "@keelson/aro-api";

/** Resource names by API group, separated by spaces. */
export type ResourceNames = Readonly<Record<string, string>>;

/** Returns one rule for each API group. */
export function rulesOf(names: ResourceNames, verbs: readonly string[]): readonly PolicyRule[] {
  return Object.entries(names).map(([group, list]) => ({
    apiGroups: [group],
    resources: list.split(" "),
    verbs,
  }));
}
