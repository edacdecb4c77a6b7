import { scalarStringAt } from "@keelson/apimachinery";
import { valueAt } from "@keelson/base";
import { ageColumn, nameColumn, size, text } from "../../columns/column.ts";
import type { Kind } from "../kind.ts";

export const validatingAdmissionPolicy: Kind = {
  group: "admissionregistration.k8s.io",
  versions: ["v1"],
  kind: "ValidatingAdmissionPolicy",
  plural: "validatingadmissionpolicies",
  categories: ["api-extensions"],
  namespaced: false,
  subresources: { status: {} },
  columns: [
    nameColumn,
    size("Validations", "spec.validations"),
    text("ParamKind", (policy) => {
      const kind = valueAt(policy, "spec", "paramKind");
      return kind === undefined
        ? "<unset>"
        : `${scalarStringAt(kind, "apiVersion")}/${scalarStringAt(kind, "kind")}`;
    }),
    ageColumn,
  ],
  types: {
    mergeKeys: `
admissionregistration.v1.ValidatingAdmissionPolicySpec matchConditions=name variables=name
`,
    ownership: `
admissionregistration.v1.ValidatingAdmissionPolicySpec matchConditions=name variables=name
admissionregistration.v1.ValidatingAdmissionPolicyStatus conditions=type
admissionregistration.v1.ParamKind =!
admissionregistration.v1.Variable =!
`,
    protobuf: `
admissionregistration.v1.AuditAnnotation key=1* valueExpression=2*
admissionregistration.v1.ExpressionWarning fieldRef=2* warning=3*
admissionregistration.v1.ParamKind apiVersion=1 kind=2
admissionregistration.v1.TypeChecking expressionWarnings=1
admissionregistration.v1.ValidatingAdmissionPolicy metadata=1 spec=2 status=3
admissionregistration.v1.ValidatingAdmissionPolicySpec paramKind=1 matchConstraints=2 validations=3 failurePolicy=4* auditAnnotations=5 matchConditions=6 variables=7
admissionregistration.v1.ValidatingAdmissionPolicyStatus observedGeneration=1 typeChecking=2 conditions=3
admissionregistration.v1.Validation expression=1* message=2 reason=3* messageExpression=4
admissionregistration.v1.Variable name=1* expression=2*
`,
    enums: `
admissionregistration.v1.ValidatingAdmissionPolicySpec.failurePolicy Fail|Ignore
`,
  },
};
