import { arrayAt, textAt, valueAt } from "../../json/access.ts";
import { oneOf, required } from "../checks.ts";
import type { Findings } from "../findings.ts";
import type { Check, FieldChecks, GroupFacts } from "./group-facts.ts";

const group = "rbac.authorization.k8s.io";

/** Facts: kubernetes pkg/apis/rbac/v1/defaults.go and pkg/apis/rbac/validation/validation.go. */
export const rbacFacts: GroupFacts = {
  defaults: `
rbac.v1.RoleRef apiGroup="${group}"
`,
  derived: {
    "rbac.v1.Subject": (subject) =>
      subject.apiGroup || (subject.kind !== "User" && subject.kind !== "Group")
        ? subject
        : { ...subject, apiGroup: group },
  },
  checks: {
    "rbac.v1.Role": [["rules", namespacedRules]],
    "rbac.v1.PolicyRule": [["", policyRule]],
    "rbac.v1.RoleBinding": binding(["Role", "ClusterRole"]),
    "rbac.v1.ClusterRoleBinding": [...binding(["ClusterRole"]), ["subjects", accountsHaveNamespaces]],
    "rbac.v1.Subject": [
      ["name", required],
      ["kind", kindOfSubject],
      [
        "",
        (subject, findings) => {
          const kind = textAt(subject, "kind");
          const wanted = kind === "ServiceAccount" ? "" : group;
          const given = textAt(subject, "apiGroup");
          if (["ServiceAccount", "User", "Group"].includes(kind) && given !== wanted)
            findings.notSupported(given, [wanted], "apiGroup");
        },
      ],
    ],
  },
  changes: {
    "rbac.v1.RoleBinding": sameRole,
    "rbac.v1.ClusterRoleBinding": sameRole,
  },
};

function binding(kinds: readonly string[]): readonly FieldChecks[] {
  const roleRef: Check = (ref, findings) => {
    const given = textAt(ref, "apiGroup");
    if (given !== group) findings.notSupported(given, [group], "apiGroup");
    const kind = textAt(ref, "kind");
    if (!kinds.includes(kind)) findings.notSupported(kind, kinds, "kind");
    const name = textAt(ref, "name");
    if (name === "") findings.required("", "name");
    else if (/[/%]/.test(name)) findings.invalid(name, `may not contain '${/[/%]/.exec(name)?.[0]}'`, "name");
  };
  return [["roleRef", roleRef]];
}

function sameRole(object: unknown, current: unknown, findings: Findings): void {
  const same = (["apiGroup", "kind", "name"] as const).every(
    (member) => textAt(object, "roleRef", member) === textAt(current, "roleRef", member),
  );
  if (!same) findings.invalid(valueAt(object, "roleRef"), "cannot change roleRef", "roleRef");
}

function kindOfSubject(kind: unknown, findings: Findings): void {
  const kinds = ["ServiceAccount", "User", "Group"];
  if (kind === undefined || kind === "") findings.notSupported("", kinds);
  else oneOf(...kinds)(kind, findings);
}

function accountsHaveNamespaces(subjects: unknown, findings: Findings): void {
  for (const [at, subject] of arrayAt({ subjects }, "subjects").entries()) {
    if (textAt(subject, "kind") === "ServiceAccount" && textAt(subject, "namespace") === "")
      findings.required("", at, "namespace");
  }
}

function namespacedRules(rules: unknown, findings: Findings): void {
  for (const [at, rule] of arrayAt({ rules }, "rules").entries()) {
    const urls = arrayAt(rule, "nonResourceURLs");
    if (urls.length > 0)
      findings.invalid(urls, "namespaced rules cannot apply to non-resource URLs", at, "nonResourceURLs");
  }
}

function policyRule(rule: unknown, findings: Findings): void {
  const count = (member: string) => arrayAt(rule, member).length;
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
