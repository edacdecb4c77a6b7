import { pathSegmentName } from "../../catalogue/names.ts";
import type { Kind } from "../kind.ts";
import { binding, sameRole } from "./binding-checks.ts";
import { bindingColumns } from "./binding-columns.ts";

/**
 * Built-in kind RoleBinding. Source of its rules: kubernetes pkg/apis/rbac/v1/defaults.go and
 * pkg/apis/rbac/validation/validation.go.
 */
export const roleBinding: Kind = {
  group: "rbac.authorization.k8s.io",
  versions: ["v1"],
  kind: "RoleBinding",
  plural: "rolebindings",
  namespaced: true,
  strategy: { nameFault: pathSegmentName, createsOnUpdate: true },
  columns: bindingColumns,
  types: {
    checks: {
      "rbac.v1.RoleBinding": binding(["Role", "ClusterRole"]),
    },
    changes: {
      "rbac.v1.RoleBinding": sameRole,
    },
    protobuf: `
rbac.v1.RoleBinding metadata=1 subjects=2 roleRef=3
`,
  },
};
