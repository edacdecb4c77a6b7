import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, stringsAt } from "@keelson/base";

/** Scope of a quota (core/v1 ScopedResourceSelectorRequirement). */
export interface ScopeSelector {
  readonly scope: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** Returns all scopes of a quota. */
export function scopesOf(quota: unknown): readonly ScopeSelector[] {
  return [
    ...stringsAt(quota, "spec", "scopes").map((scope) => ({ scope, operator: "Exists", values: [] })),
    ...listAt(quota, "spec", "scopeSelector", "matchExpressions").map((each) => ({
      scope: scalarStringAt(each, "scopeName"),
      operator: scalarStringAt(each, "operator"),
      values: stringsAt(each, "values"),
    })),
  ];
}

/** True if the scope matches an object that has the given classes, for example priority classes. */
export function matchesClasses(classes: readonly string[], { operator, values }: ScopeSelector): boolean {
  switch (operator) {
    case "In":
      return classes.some((each) => values.includes(each));
    case "NotIn":
      return classes.length === 0 || classes.some((each) => !values.includes(each));
    case "Exists":
      return classes.length > 0;
    default:
      return operator === "DoesNotExist" && classes.length === 0;
  }
}
