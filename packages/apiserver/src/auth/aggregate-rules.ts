import { arrayAt } from "../json/access.ts";
import type { KubeObject } from "../kube-object.ts";
import { labelSelectorOf, matchesLabels } from "../selector/label-selector.ts";

/** The selectors of an aggregated ClusterRole, none for a plain one. */
export function aggregationOf(role: KubeObject) {
  return arrayAt(role, "aggregationRule", "clusterRoleSelectors").map(labelSelectorOf);
}

/** The rules of an aggregated ClusterRole: those of the roles that its selectors match, by name, each once. */
export function aggregateRules(role: KubeObject, all: readonly KubeObject[]): readonly unknown[] {
  const others = all
    .filter(({ metadata }) => metadata.name !== role.metadata.name)
    .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const rules = aggregationOf(role).flatMap((selector) =>
    others
      .filter(({ metadata }) => matchesLabels(selector, metadata.labels ?? {}))
      .flatMap((each) => arrayAt(each, "rules")),
  );
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}
