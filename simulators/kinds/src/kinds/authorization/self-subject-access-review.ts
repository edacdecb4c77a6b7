import type { Kind } from "../kind.ts";

export const selfSubjectAccessReview: Kind = {
  group: "authorization.k8s.io",
  versions: ["v1"],
  kind: "SelfSubjectAccessReview",
  plural: "selfsubjectaccessreviews",
  namespaced: false,
  verbs: ["create"],
  types: {
    protobuf: `
authorization.v1.SelfSubjectAccessReview metadata=1 spec=2 status=3
authorization.v1.SelfSubjectAccessReviewSpec resourceAttributes=1 nonResourceAttributes=2
`,
  },
};
