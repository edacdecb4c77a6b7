import { scalarStringAt } from "@keelson/apimachinery";
import { rbacGroup } from "../../catalogue/facts/rbac.ts";
import type { Findings } from "../../catalogue/findings.ts";
import type { Check, FieldChecks } from "../../catalogue/type-facts.ts";

/** Returns the checks of a binding that may reference only roles of the given kinds. */
export function binding(kinds: readonly string[]): readonly FieldChecks[] {
  const roleRef: Check = (ref, findings) => {
    const given = scalarStringAt(ref, "apiGroup");
    if (given !== rbacGroup) findings.notSupported(given, [rbacGroup], "apiGroup");
    const kind = scalarStringAt(ref, "kind");
    if (!kinds.includes(kind)) findings.notSupported(kind, kinds, "kind");
    const name = scalarStringAt(ref, "name");
    if (name === "") findings.required("", "name");
    else if (/[/%]/.test(name)) findings.invalid(name, `may not contain '${/[/%]/.exec(name)?.[0]}'`, "name");
  };
  return [["roleRef", roleRef]];
}

/** Makes the role reference immutable. */
export function sameRole(object: unknown, current: unknown, findings: Findings): void {
  const members = ["apiGroup", "kind", "name"] as const;
  const same = members.every(
    (member) => scalarStringAt(object, "roleRef", member) === scalarStringAt(current, "roleRef", member),
  );
  if (!same) {
    const [APIGroup, Kind, Name] = members.map((member) => scalarStringAt(object, "roleRef", member));
    findings.invalid({ APIGroup, Kind, Name }, "cannot change roleRef", "roleRef");
  }
}
