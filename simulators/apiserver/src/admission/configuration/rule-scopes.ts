import { recordAt } from "@keelson/apimachinery";

/** Rules with the scope that they have by default. */
export function withScopes(rules: readonly unknown[]): readonly unknown[] {
  return rules.map((each) => ({ scope: "*", ...recordAt(each) }));
}
