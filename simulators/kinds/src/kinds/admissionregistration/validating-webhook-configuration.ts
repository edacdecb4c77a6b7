import { ageColumn, nameColumn, size } from "../../columns/column.ts";
import type { Kind } from "../kind.ts";

export const validatingWebhookConfiguration: Kind = {
  group: "admissionregistration.k8s.io",
  versions: ["v1"],
  kind: "ValidatingWebhookConfiguration",
  plural: "validatingwebhookconfigurations",
  categories: ["api-extensions"],
  namespaced: false,
  columns: [nameColumn, size("Webhooks", "webhooks"), ageColumn],
  types: {
    mergeKeys: `
admissionregistration.v1.ValidatingWebhookConfiguration webhooks=name
admissionregistration.v1.ValidatingWebhook matchConditions=name
`,
    ownership: `
admissionregistration.v1.ValidatingWebhookConfiguration webhooks=name
admissionregistration.v1.ValidatingWebhook matchConditions=name
`,
    protobuf: `
admissionregistration.v1.ValidatingWebhook name=1* clientConfig=2 rules=3 failurePolicy=4* matchPolicy=9* namespaceSelector=5 objectSelector=10 sideEffects=6* timeoutSeconds=7* admissionReviewVersions=8 matchConditions=11
admissionregistration.v1.ValidatingWebhookConfiguration metadata=1 webhooks=2
`,
    enums: `
admissionregistration.v1.ValidatingWebhook.failurePolicy Fail|Ignore
admissionregistration.v1.ValidatingWebhook.matchPolicy Equivalent|Exact
admissionregistration.v1.ValidatingWebhook.sideEffects None|NoneOnDryRun|Some|Unknown
`,
  },
};
