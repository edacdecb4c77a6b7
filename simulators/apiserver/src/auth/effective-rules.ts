import { Pace, type Phases } from "@keelson/apimachinery";
import { type PolicyRule, sizeOf } from "./policy-rule.ts";
import { covers, type Right, rightsOf } from "./rule-coverage.ts";

/**
 * Maximum number of permissions in one response. A rule grants one permission for each combination of its verbs, API groups,
 * resources and object names.
 */
const maxRights = 50_000;
/** Maximum total length of the permissions' strings. A long string in a role can occur in many of its permissions. */
const maxLength = 4 * 2 ** 20;

/** Compacted rules of a user. `complete` is false if the rules have more permissions than a response can contain. */
export interface EffectiveRules {
  readonly rules: readonly PolicyRule[];
  readonly complete: boolean;
}

/**
 * Splits rules into single permissions, removes permissions that `limit` does not cover, and combines the verbs of each resource.
 * The resulting rules are sorted by their string form, as in openshift-apiserver's rules reviews.
 */
export function* effectiveRules(
  rules: readonly PolicyRule[],
  limit: readonly PolicyRule[] | undefined,
): Phases<EffectiveRules> {
  const pace = new Pace();
  const combined = new Map<string, { readonly right: Right; readonly verbs: Set<string> }>();
  let count = 0;
  let length = 0;
  let complete = true;
  for (const right of rightsOf(rules)) {
    if (pace.isOver()) yield;
    count++;
    length += lengthOf(right);
    if (count > maxRights || length > maxLength) {
      complete = false;
      break;
    }
    if (limit && !(yield* isCovered(limit, right, pace))) continue;
    // Permissions for non-resource paths are not combined.
    const place = JSON.stringify(right.kind === "path" ? right : { ...right, verb: "" });
    const entry = combined.get(place) ?? { right, verbs: new Set() };
    entry.verbs.add(right.verb);
    combined.set(place, entry);
  }
  const listed = [...combined.values()].map(({ right, verbs }) => ruleOf(right, [...verbs]));
  const keyed = listed.map((rule) => ({ rule, key: goString(rule) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return { rules: keyed.map(({ rule }) => ({ ...rule, verbs: rule.verbs.toSorted() })), complete };
}

/** True if one of the rules covers a permission. The work is proportional to the size of the rules. */
function* isCovered(rules: readonly PolicyRule[], right: Right, pace: Pace): Phases<boolean> {
  for (const rule of rules) {
    if (pace.isOver(1 + sizeOf(rule))) yield;
    if (covers(rule, right)) return true;
  }
  return false;
}

/** Returns the total length of a permission's strings. */
function lengthOf(right: Right): number {
  if (right.kind === "path") return right.path.length + right.verb.length;
  const { group, resource, name = "", verb } = right;
  return group.length + resource.length + name.length + verb.length;
}

function ruleOf(right: Right, verbs: readonly string[]): PolicyRule {
  if (right.kind === "path")
    return { verbs, apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [right.path] };
  const { group, resource, name } = right;
  const resourceNames = name === undefined ? [] : [name];
  return { verbs, apiGroups: [group], resources: [resource], resourceNames, nonResourceURLs: [] };
}

function goString({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string {
  const list = (values: readonly string[]) => `[${values.join(" ")}]`;
  return `Verbs:${list(verbs)},APIGroups:${list(apiGroups)},Resources:${list(resources)},ResourceNames:${list(resourceNames)},NonResourceURLs:${list(nonResourceURLs)},`;
}
