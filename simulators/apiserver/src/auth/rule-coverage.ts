import { Pace, type Phases } from "@keelson/apimachinery";
import type { WorkBudget } from "@keelson/base";
import { hasResource, matchesPath, type PolicyRule, sizeOf } from "./policy-rule.ts";

/** Maximum number of missing permissions in an error message. */
const maxMissing = 1_000;

/**
 * Returns the permissions in `wanted` that are not in `held`, as sorted lines of kube-apiserver's escalation error. Permissions
 * that differ only in the verb share a line. A rule grants one permission for each combination of its list entries, so the budget
 * limits the enumeration.
 * @throws WorkBudgetExceeded
 */
export function* missingRights(
  held: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
  budget: WorkBudget,
): Phases<readonly string[]> {
  const pace = new Pace();
  const lines = new Map<string, { readonly right: Right; readonly verbs: string[] }>();
  let missing = 0;
  for (const right of rightsOf(wanted)) {
    let isHeld = false;
    for (const rule of held) {
      const size = sizeOf(rule);
      budget.spend(size);
      if (pace.isOver(size)) yield;
      isHeld = covers(rule, right);
      if (isHeld) break;
    }
    budget.spend(1);
    if (pace.isOver()) yield;
    if (isHeld) continue;
    missing++;
    if (missing > maxMissing) break;
    // Permissions for a path have a separate line for each verb.
    const place = JSON.stringify(right.kind === "path" ? right : { ...right, verb: "" });
    const line = lines.get(place) ?? { right, verbs: [] };
    line.verbs.push(right.verb);
    lines.set(place, line);
  }
  const texts = [...new Set([...lines.values()].map(({ right, verbs }) => shown(right, verbs)))].sort();
  return missing > maxMissing ? [...texts, "and more"] : texts;
}

/** Single permission that a rule grants. */
export type Right =
  | { readonly kind: "path"; readonly path: string; readonly verb: string }
  | {
      readonly kind: "resource";
      readonly group: string;
      readonly resource: string;
      readonly name: string | undefined;
      readonly verb: string;
    };

/** Splits rules into single permissions. */
export function* rightsOf(rules: readonly PolicyRule[]): Generator<Right> {
  for (const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } of rules) {
    const names = resourceNames.length > 0 ? resourceNames : [undefined];
    for (const group of apiGroups)
      for (const resource of resources)
        for (const verb of verbs)
          for (const name of names) yield { kind: "resource", group, resource, name, verb };
    for (const path of nonResourceURLs) for (const verb of verbs) yield { kind: "path", path, verb };
  }
}

/** True if a rule grants a permission. */
export function covers(rule: PolicyRule, right: Right): boolean {
  if (!hasOrAll(rule.verbs, right.verb)) return false;
  if (right.kind === "path") return rule.nonResourceURLs.some((pattern) => matchesPath(pattern, right.path));
  const { group, resource, name } = right;
  return (
    hasOrAll(rule.apiGroups, group) &&
    hasResource(rule.resources, resource) &&
    (rule.resourceNames.length === 0 || (name !== undefined && rule.resourceNames.includes(name)))
  );
}

function hasOrAll(list: readonly string[], value: string): boolean {
  return list.includes("*") || list.includes(value);
}

function shown(right: Right, verbs: readonly string[]): string {
  const parts =
    right.kind === "path"
      ? { NonResourceURLs: [right.path], Verbs: verbs }
      : {
          APIGroups: [right.group],
          Resources: [right.resource],
          ResourceNames: right.name === undefined ? [] : [right.name],
          Verbs: verbs,
        };
  const texts = Object.entries(parts).flatMap(([label, values]) =>
    values.length > 0 ? [`${label}:[${values.map((each) => JSON.stringify(each)).join(" ")}]`] : [],
  );
  return `{${texts.join(", ")}}`;
}
