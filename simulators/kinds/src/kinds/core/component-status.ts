import { scalarStringAt } from "@keelson/apimachinery";
import { valueAt } from "@keelson/base";
import { type Column, nameColumn, text } from "../../columns/column.ts";
import type { Kind } from "../kind.ts";

export const componentStatus: Kind = {
  group: "",
  versions: ["v1"],
  kind: "ComponentStatus",
  plural: "componentstatuses",
  shortNames: ["cs"],
  namespaced: false,
  verbs: ["get", "list"],
  columns: [nameColumn, ...componentColumns()],
  types: {
    mergeKeys: `
core.v1.ComponentStatus conditions=type
`,
    ownership: `
core.v1.ComponentStatus conditions=type
`,
    protobuf: `
core.v1.ComponentCondition type=1* status=2* message=3 error=4
core.v1.ComponentStatus metadata=1 conditions=2
`,
  },
};

function componentColumns(): readonly Column[] {
  return [
    text("Status", (object) =>
      scalarStringAt(firstCondition(object), "status") === "True" ? "Healthy" : "Unhealthy",
    ),
    text("Message", (object) => scalarStringAt(firstCondition(object), "message")),
    text("Error", (object) => scalarStringAt(firstCondition(object), "error")),
  ];
}

function firstCondition(object: unknown): unknown {
  const conditions = valueAt(object, "conditions");
  return Array.isArray(conditions) ? conditions[0] : undefined;
}
