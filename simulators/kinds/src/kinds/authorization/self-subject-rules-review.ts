import type { Kind } from "../kind.ts";

export const selfSubjectRulesReview: Kind = {
  group: "authorization.k8s.io",
  versions: ["v1"],
  kind: "SelfSubjectRulesReview",
  plural: "selfsubjectrulesreviews",
  namespaced: false,
  verbs: ["create"],
  types: {
    protobuf: `
authorization.v1.NonResourceRule verbs=1 nonResourceURLs=2
authorization.v1.ResourceRule verbs=1 apiGroups=2 resources=3 resourceNames=4
authorization.v1.SelfSubjectRulesReview metadata=1 spec=2 status=3
authorization.v1.SelfSubjectRulesReviewSpec namespace=1
authorization.v1.SubjectRulesReviewStatus resourceRules=1 nonResourceRules=2 incomplete=3* evaluationError=4
`,
  },
};
