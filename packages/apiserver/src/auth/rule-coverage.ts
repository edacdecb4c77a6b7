import { hasResource, matchesPath, type PolicyRule } from "./policy-rule.ts";

/**
 * What `wanted` grants and `held` does not, in the words of an escalation's refusal: one line per right, rights that
 * differ by verb only in one line, sorted. Empty when everything is held.
 */
export function missingRights(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly string[] {
  const missing = wanted.flatMap(rightsOf).filter((right) => !held.some((rule) => covers(rule, right)));
  const lines = new Map<string, Right>();
  for (const right of missing) {
    // Paths stay one by one, each verb for itself.
    const place = right.kind === "path" ? JSON.stringify(right) : JSON.stringify({ ...right, verbs: [] });
    const known = lines.get(place);
    lines.set(place, known ? { ...known, verbs: [...known.verbs, ...right.verbs] } : right);
  }
  return [...new Set([...lines.values()].map(shown))].sort();
}

/** One thing that a rule allows. `verbs` holds one verb until lines are put together. */
type Right =
  | { readonly kind: "path"; readonly path: string; readonly verbs: readonly string[] }
  | {
      readonly kind: "resource";
      readonly group: string;
      readonly resource: string;
      readonly name: string | undefined;
      readonly verbs: readonly string[];
    };

function rightsOf(rule: PolicyRule): readonly Right[] {
  const names = rule.resourceNames.length > 0 ? rule.resourceNames : [undefined];
  const resources = rule.apiGroups.flatMap((group) =>
    rule.resources.flatMap((resource) =>
      rule.verbs.flatMap((verb) =>
        names.map((name) => ({ kind: "resource", group, resource, name, verbs: [verb] }) as const),
      ),
    ),
  );
  const paths = rule.nonResourceURLs.flatMap((path) =>
    rule.verbs.map((verb) => ({ kind: "path", path, verbs: [verb] }) as const),
  );
  return [...resources, ...paths];
}

function covers(rule: PolicyRule, right: Right): boolean {
  if (!right.verbs.every((verb) => hasOrAll(rule.verbs, verb))) return false;
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

function shown(right: Right): string {
  const parts =
    right.kind === "path"
      ? { NonResourceURLs: [right.path], Verbs: right.verbs }
      : {
          APIGroups: [right.group],
          Resources: [right.resource],
          ResourceNames: right.name === undefined ? [] : [right.name],
          Verbs: right.verbs,
        };
  const texts = Object.entries(parts).flatMap(([label, values]) =>
    values.length > 0 ? [`${label}:[${values.map((each) => JSON.stringify(each)).join(" ")}]`] : [],
  );
  return `{${texts.join(", ")}}`;
}
