import { valueAt } from "@keelson/base";
import { checkMounts } from "../../catalogue/facts/pod-checks.ts";
import { nameColumn, text } from "../../columns/column.ts";
import { labelText } from "../../columns/label-text.ts";
import { templateColumns } from "../../columns/workload-columns.ts";
import type { Kind } from "../kind.ts";

/**
 * Built-in kind PodTemplate. Source of its rules: kubernetes pkg/apis/core/v1/defaults.go and
 * pkg/apis/core/validation/validation.go.
 */
export const podTemplate: Kind = {
  group: "",
  versions: ["v1"],
  kind: "PodTemplate",
  plural: "podtemplates",
  namespaced: true,
  strategy: { returnsDeleted: true },
  columns: [
    nameColumn,
    ...templateColumns("template.spec.containers").map((column) => ({ ...column, priority: 0 })),
    text("Pod Labels", (object) => labelText(valueAt(object, "template", "metadata", "labels"))),
  ],
  podTemplate: ["template"],
  types: {
    defaults: `
core.v1.PodTemplateSpec metadata={} spec={}
core.v1.PodTemplate template={}
`,
    checks: {
      "core.v1.PodTemplate": [
        ["template"],
        [
          "",
          (template, findings) =>
            checkMounts(valueAt(template, "template", "spec"), findings, [], "template", "spec"),
        ],
      ],
    },
    protobuf: `
core.v1.PodTemplate metadata=1 template=2
core.v1.PodTemplateSpec metadata=1 spec=2
`,
  },
};
