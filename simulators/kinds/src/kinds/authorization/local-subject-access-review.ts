import type { Kind } from "../kind.ts";

export const localSubjectAccessReview: Kind = {
  group: "authorization.k8s.io",
  versions: ["v1"],
  kind: "LocalSubjectAccessReview",
  plural: "localsubjectaccessreviews",
  namespaced: true,
  verbs: ["create"],
  types: {
    protobuf: `
authorization.v1.LocalSubjectAccessReview metadata=1 spec=2 status=3
`,
  },
};
