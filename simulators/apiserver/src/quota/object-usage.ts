import type { KubeObject, ResourceList } from "@keelson/apimachinery";
import { type Evaluator, objectCountName, one, scopesOf } from "@keelson/kinds";

/** True if an object matches all scopes of a quota. */
export function isAbout(quota: KubeObject, evaluator: Evaluator, object: KubeObject): boolean {
  return scopesOf(quota).every((scope) => evaluator.matchesScope?.(object, scope) === true);
}

/** Returns the quota usage of an object. If the kind has no other usage, each object counts as one. */
export function usageOf(
  { group, plural }: { readonly group: string; readonly plural: string },
  { usage }: Evaluator,
  object: KubeObject,
  now: Date,
): ResourceList {
  if (usage) return usage(object, now);
  const names = [objectCountName(group, plural), ...(group === "" ? [plural] : [])];
  return new Map(names.map((name) => [name, one]));
}
