import { scalarStringAt } from "@keelson/apimachinery";
import { listAt } from "@keelson/base";
import type { Findings } from "../../catalogue/findings.ts";
import { pathSegmentName } from "../../catalogue/names.ts";
import type { Kind } from "../kind.ts";
import { binding, sameRole } from "./binding-checks.ts";
import { bindingColumns } from "./binding-columns.ts";

/**
 * Built-in kind ClusterRoleBinding. Source of its rules: kubernetes pkg/apis/rbac/v1/defaults.go and
 * pkg/apis/rbac/validation/validation.go.
 */
export const clusterRoleBinding: Kind = {
  group: "rbac.authorization.k8s.io",
  versions: ["v1"],
  kind: "ClusterRoleBinding",
  plural: "clusterrolebindings",
  namespaced: false,
  strategy: { nameFault: pathSegmentName, createsOnUpdate: true },
  columns: bindingColumns,
  types: {
    checks: {
      "rbac.v1.ClusterRoleBinding": [...binding(["ClusterRole"]), ["subjects", accountsHaveNamespaces]],
    },
    changes: {
      "rbac.v1.ClusterRoleBinding": sameRole,
    },
    protobuf: `
rbac.v1.ClusterRoleBinding metadata=1 subjects=2 roleRef=3
`,
  },
};

function accountsHaveNamespaces(subjects: unknown, findings: Findings): void {
  for (const [at, subject] of listAt({ subjects }, "subjects").entries()) {
    if (scalarStringAt(subject, "kind") === "ServiceAccount" && scalarStringAt(subject, "namespace") === "")
      findings.required("", at, "namespace");
  }
}
