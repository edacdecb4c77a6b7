import {
  failures,
  type KubeObject,
  labelSelectorOf,
  matchesLabels,
  Pace,
  type Phases,
} from "@keelson/apimachinery";
import { listAt } from "@keelson/base";
import type { StoredObject } from "../storage/stored-object.ts";

/** Returns the selectors of an aggregated ClusterRole. Empty for other ClusterRoles. */
export function aggregationOf(role: KubeObject) {
  return listAt(role, "aggregationRule", "clusterRoleSelectors").map(labelSelectorOf);
}

/** Maximum number of rules in an aggregated ClusterRole. A ClusterRole with more rules would exceed the maximum object size. */
const maxRules = 40_000;

type Aggregable = Pick<StoredObject, "key" | "labels" | "object">;

/**
 * Returns the distinct rules of the roles that an aggregated ClusterRole selects. The rules are ordered by role name. `all` is
 * sorted by name.
 * @throws StatusError 413
 */
export function* aggregateRules(role: KubeObject, all: readonly Aggregable[]): Phases<readonly unknown[]> {
  const pace = new Pace();
  const others = all.filter(({ key }) => key !== role.metadata.name);
  const rules = new Map<string, unknown>();
  const taken = new Set<Aggregable>();
  for (const selector of aggregationOf(role)) {
    for (const each of others) {
      if (pace.isOver(1 + selector.length)) yield;
      // Labels are available without parsing, so only selected roles are parsed.
      if (taken.has(each) || !matchesLabels(selector, each.labels)) continue;
      taken.add(each);
      const own = listAt(each.object, "rules");
      if (pace.isOver(own.length)) yield;
      for (const rule of own) rules.set(JSON.stringify(rule), rule);
      if (rules.size > maxRules) throw failures.tooLargeToStore();
    }
  }
  return [...rules.values()];
}
