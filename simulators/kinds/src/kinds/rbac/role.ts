import { listAt } from "@keelson/base";
import type { Findings } from "../../catalogue/findings.ts";
import { pathSegmentName } from "../../catalogue/names.ts";
import type { Kind } from "../kind.ts";

/**
 * Built-in kind Role. Source of its rules: kubernetes pkg/apis/rbac/v1/defaults.go and pkg/apis/rbac/validation/validation.go.
 */
export const role: Kind = {
  group: "rbac.authorization.k8s.io",
  versions: ["v1"],
  kind: "Role",
  plural: "roles",
  namespaced: true,
  strategy: { nameFault: pathSegmentName, createsOnUpdate: true },
  types: {
    checks: {
      "rbac.v1.Role": [["rules", namespacedRules]],
    },
    protobuf: `
rbac.v1.Role metadata=1 rules=2
`,
  },
};

function namespacedRules(rules: unknown, findings: Findings): void {
  for (const [at, rule] of listAt({ rules }, "rules").entries()) {
    const urls = listAt(rule, "nonResourceURLs");
    if (urls.length > 0)
      findings.invalid(urls, "namespaced rules cannot apply to non-resource URLs", at, "nonResourceURLs");
  }
}
