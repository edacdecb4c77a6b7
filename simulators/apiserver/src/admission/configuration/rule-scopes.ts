import { objectAt } from "@keelson/base";

/** Sets the default scope of rules. */
export function withScopes(rules: readonly unknown[]): readonly unknown[] {
  return rules.map((each) => ({ scope: "*", ...objectAt(each) }));
}
