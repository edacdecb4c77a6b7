import type { Kind } from "../kind.ts";

export const selfSubjectReview: Kind = {
  group: "authentication.k8s.io",
  versions: ["v1"],
  kind: "SelfSubjectReview",
  plural: "selfsubjectreviews",
  namespaced: false,
  verbs: ["create"],
  types: {
    protobuf: `
authentication.v1.SelfSubjectReview metadata=1 status=2
authentication.v1.SelfSubjectReviewStatus userInfo=1
`,
  },
};
