import type { ApiVersion } from "../api-versions/version.ts";
import type { Examined, Violation } from "../rules/rule.ts";

/** Applies a version's static rules in order and returns their violations. */
export function validateStatic(version: ApiVersion, examined: Examined): readonly Violation[] {
  const mode = examined.creating ? "create" : "update";
  const violations: Violation[] = [];
  for (const { when, check } of version.rules) {
    if (when !== "always" && when !== mode) continue;
    for (const violation of check(examined)) violations.push(violation);
  }
  return violations;
}
