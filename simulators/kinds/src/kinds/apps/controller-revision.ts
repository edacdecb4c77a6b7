import { immutable } from "../../catalogue/changes.ts";
import { nonNegative } from "../../catalogue/checks.ts";
import { ageColumn, count, declared, nameColumn, text } from "../../columns/column.ts";
import type { Kind } from "../kind.ts";

/**
 * Built-in kind ControllerRevision. Source of its rules: kubernetes pkg/apis/apps/v1/defaults.go and
 * pkg/apis/apps/validation/validation.go.
 */
export const controllerRevision: Kind = {
  group: "apps",
  versions: ["v1"],
  kind: "ControllerRevision",
  plural: "controllerrevisions",
  namespaced: true,
  columns: [
    nameColumn,
    text("Controller", (object) => {
      const owner = object.metadata.ownerReferences?.find((reference) => reference.controller);
      if (!owner) return "<none>";
      const [group = "", version] = owner.apiVersion.split("/");
      return `${owner.kind.toLowerCase()}${version ? `.${group}` : ""}/${owner.name}`;
    }),
    declared("string", count("Revision", "revision")),
    ageColumn,
  ],
  types: {
    checks: {
      "apps.v1.ControllerRevision": [["revision", nonNegative]],
    },
    changes: {
      "apps.v1.ControllerRevision": immutable("data"),
    },
    protobuf: `
apps.v1.ControllerRevision metadata=1 data=2 revision=3*
`,
  },
};
