import { scalarStringAt } from "@keelson/apimachinery";
import { valueAt } from "@keelson/base";
import { ageColumn, nameColumn, text, textOf } from "../../columns/column.ts";
import type { Kind } from "../kind.ts";

export const validatingAdmissionPolicyBinding: Kind = {
  group: "admissionregistration.k8s.io",
  versions: ["v1"],
  kind: "ValidatingAdmissionPolicyBinding",
  plural: "validatingadmissionpolicybindings",
  categories: ["api-extensions"],
  namespaced: false,
  columns: [
    nameColumn,
    textOf("PolicyName", "spec.policyName"),
    text("ParamRef", (binding) => {
      const ref = valueAt(binding, "spec", "paramRef");
      if (ref === undefined) return "<unset>";
      const namespace = scalarStringAt(ref, "namespace");
      return `${namespace ? `${namespace}/` : ""}${scalarStringAt(ref, "name") || "*"}`;
    }),
    ageColumn,
  ],
  types: {
    ownership: `
admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec validationActions=
admissionregistration.v1.ParamRef =!
`,
    protobuf: `
admissionregistration.v1.ParamRef name=1 namespace=2 selector=3 parameterNotFoundAction=4*
admissionregistration.v1.ValidatingAdmissionPolicyBinding metadata=1 spec=2
admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec policyName=1 paramRef=2 matchResources=3 validationActions=4
`,
    enums: `
admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec.validationActions Audit|Deny|Warn
`,
  },
};
