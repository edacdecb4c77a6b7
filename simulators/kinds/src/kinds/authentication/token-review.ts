import type { Kind } from "../kind.ts";

export const tokenReview: Kind = {
  group: "authentication.k8s.io",
  versions: ["v1"],
  kind: "TokenReview",
  plural: "tokenreviews",
  namespaced: false,
  verbs: ["create"],
  types: {
    protobuf: `
authentication.v1.TokenReview metadata=1 spec=2 status=3
authentication.v1.TokenReviewSpec token=1 audiences=2
authentication.v1.TokenReviewStatus authenticated=1 user=2 audiences=4 error=3
`,
  },
};
