import { scalarStringAt } from "@keelson/apimachinery";
import { valueAt } from "@keelson/base";
import { immutable } from "../../catalogue/changes.ts";
import { oneOf, required } from "../../catalogue/checks.ts";
import { ageColumn, nameColumn, text, textOf } from "../../columns/column.ts";
import type { Kind } from "../kind.ts";

/**
 * Built-in kind IngressClass. Source of its rules: kubernetes pkg/apis/networking/v1/defaults.go and
 * pkg/apis/networking/validation/validation.go.
 */
export const ingressClass: Kind = {
  group: "networking.k8s.io",
  versions: ["v1"],
  kind: "IngressClass",
  plural: "ingressclasses",
  namespaced: false,
  strategy: { generation: {} },
  columns: [
    nameColumn,
    textOf("Controller", "spec.controller"),
    text("Parameters", (object) => {
      const parameters = valueAt(object, "spec", "parameters");
      if (parameters === undefined) return "<none>";
      const group = scalarStringAt(parameters, "apiGroup");
      return `${scalarStringAt(parameters, "kind")}${group ? `.${group}` : ""}/${scalarStringAt(parameters, "name")}`;
    }),
    ageColumn,
  ],
  types: {
    defaults: `
networking.v1.IngressClassParametersReference scope="Cluster"
`,
    checks: {
      "networking.v1.IngressClassSpec": [["controller", required]],
      "networking.v1.IngressClassParametersReference": [
        ["kind", required],
        ["name", required],
        ["scope", oneOf("Cluster", "Namespace")],
      ],
    },
    changes: {
      "networking.v1.IngressClass": immutable("spec.controller"),
    },
    protobuf: `
networking.v1.IngressClass metadata=1 spec=2
networking.v1.IngressClassParametersReference apiGroup=1* kind=2* name=3* scope=4* namespace=5*
networking.v1.IngressClassSpec controller=1 parameters=2
`,
  },
};
