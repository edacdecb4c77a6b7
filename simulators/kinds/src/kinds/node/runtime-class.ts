import { immutable } from "../../catalogue/changes.ts";
import { required } from "../../catalogue/checks.ts";
import { ageColumn, nameColumn, textOf } from "../../columns/column.ts";
import type { Kind } from "../kind.ts";

/**
 * Built-in kind RuntimeClass. Source of its rules: kubernetes pkg/apis/node/v1/defaults.go and
 * pkg/apis/node/validation/validation.go.
 */
export const runtimeClass: Kind = {
  group: "node.k8s.io",
  versions: ["v1"],
  kind: "RuntimeClass",
  plural: "runtimeclasses",
  namespaced: false,
  strategy: { createsOnUpdate: true, requiresResourceVersion: true },
  columns: [nameColumn, textOf("Handler", "handler"), ageColumn],
  types: {
    checks: {
      "node.v1.RuntimeClass": [["handler", required]],
    },
    changes: {
      "node.v1.RuntimeClass": immutable("handler"),
    },
    ownership: `
node.v1.Scheduling nodeSelector=!
`,
    protobuf: `
node.v1.Overhead podFixed=1
node.v1.RuntimeClass metadata=1 handler=2* overhead=3 scheduling=4
node.v1.Scheduling nodeSelector=1 tolerations=2
`,
  },
};
