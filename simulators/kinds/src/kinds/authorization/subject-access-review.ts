import type { Kind } from "../kind.ts";

export const subjectAccessReview: Kind = {
  group: "authorization.k8s.io",
  versions: ["v1"],
  kind: "SubjectAccessReview",
  plural: "subjectaccessreviews",
  namespaced: false,
  verbs: ["create"],
  types: {
    protobuf: `
authorization.v1.SubjectAccessReview metadata=1 spec=2 status=3
`,
  },
};
