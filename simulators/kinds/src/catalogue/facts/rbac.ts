import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, valueAt } from "@keelson/base";
import { oneOf, required } from "../checks.ts";
import type { Findings } from "../findings.ts";
import type { TypeFacts } from "../type-facts.ts";

export const rbacGroup = "rbac.authorization.k8s.io";

/**
 * Facts about RBAC rules and subjects. Source: kubernetes pkg/apis/rbac/v1/defaults.go and
 * pkg/apis/rbac/validation/validation.go.
 */
export const rbacFacts: TypeFacts = {
  defaults: `
rbac.v1.RoleRef apiGroup="${rbacGroup}"
`,
  derived: {
    "rbac.v1.Subject": (subject) =>
      subject.apiGroup || (subject.kind !== "User" && subject.kind !== "Group")
        ? subject
        : { ...subject, apiGroup: rbacGroup },
  },
  checks: {
    "rbac.v1.PolicyRule": [["", policyRule]],
    "rbac.v1.Subject": [
      ["name", required],
      ["kind", kindOfSubject],
      [
        "",
        (subject, findings) => {
          const kind = scalarStringAt(subject, "kind");
          const wanted = kind === "ServiceAccount" ? "" : rbacGroup;
          const given = scalarStringAt(subject, "apiGroup");
          if (["ServiceAccount", "User", "Group"].includes(kind) && given !== wanted)
            findings.notSupported(given, [wanted], "apiGroup");
        },
      ],
    ],
  },
};

function kindOfSubject(kind: unknown, findings: Findings): void {
  const kinds = ["ServiceAccount", "User", "Group"];
  if (kind === undefined || kind === "") findings.notSupported("", kinds);
  else oneOf(...kinds)(kind, findings);
}

function policyRule(rule: unknown, findings: Findings): void {
  const count = (member: string) => listAt(rule, member).length;
  if (count("verbs") === 0) findings.required("verbs must contain at least one value", "verbs");
  if (count("nonResourceURLs") > 0) {
    if (count("apiGroups") + count("resources") + count("resourceNames") > 0)
      findings.invalid(
        valueAt(rule, "nonResourceURLs"),
        "rules cannot apply to both regular resources and non-resource URLs",
        "nonResourceURLs",
      );
    return;
  }
  if (count("apiGroups") === 0)
    findings.required("resource rules must supply at least one api group", "apiGroups");
  if (count("resources") === 0)
    findings.required("resource rules must supply at least one resource", "resources");
}
