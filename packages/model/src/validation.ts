import type { Examined, Violation } from "./rules/rule.ts";
import type { ApiVersion } from "./version.ts";

/** Applies a version's static rules, in their order. */
export function validateStatic(version: ApiVersion, examined: Examined): readonly Violation[] {
  const mode = examined.creating ? "create" : "update";
  return version.rules
    .filter((rule) => rule.when === "always" || rule.when === mode)
    .flatMap((rule) => [...rule.check(examined)]);
}
