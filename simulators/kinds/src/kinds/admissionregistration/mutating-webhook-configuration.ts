import { ageColumn, nameColumn, size } from "../../columns/column.ts";
import type { Kind } from "../kind.ts";

export const mutatingWebhookConfiguration: Kind = {
  group: "admissionregistration.k8s.io",
  versions: ["v1"],
  kind: "MutatingWebhookConfiguration",
  plural: "mutatingwebhookconfigurations",
  categories: ["api-extensions"],
  namespaced: false,
  columns: [nameColumn, size("Webhooks", "webhooks"), ageColumn],
  types: {
    mergeKeys: `
admissionregistration.v1.MutatingWebhookConfiguration webhooks=name
admissionregistration.v1.MutatingWebhook matchConditions=name
`,
    ownership: `
admissionregistration.v1.MutatingWebhookConfiguration webhooks=name
admissionregistration.v1.MutatingWebhook matchConditions=name
`,
    protobuf: `
admissionregistration.v1.MutatingWebhook name=1* clientConfig=2 rules=3 failurePolicy=4* matchPolicy=9* namespaceSelector=5 objectSelector=11 sideEffects=6* timeoutSeconds=7* admissionReviewVersions=8 reinvocationPolicy=10* matchConditions=12
admissionregistration.v1.MutatingWebhookConfiguration metadata=1 webhooks=2
`,
    enums: `
admissionregistration.v1.MutatingWebhook.failurePolicy Fail|Ignore
admissionregistration.v1.MutatingWebhook.matchPolicy Equivalent|Exact
admissionregistration.v1.MutatingWebhook.reinvocationPolicy IfNeeded|Never
admissionregistration.v1.MutatingWebhook.sideEffects None|NoneOnDryRun|Some|Unknown
`,
  },
};
