import { ageColumn, declared, nameColumn, size } from "../../columns/column.ts";
import type { Kind } from "../kind.ts";

export const serviceAccount: Kind = {
  group: "",
  versions: ["v1"],
  kind: "ServiceAccount",
  plural: "serviceaccounts",
  shortNames: ["sa"],
  namespaced: true,
  description: "An identity for processes in pods.",
  subresources: {
    token: { kind: "TokenRequest", group: "authentication.k8s.io", version: "v1", verbs: ["create"] },
  },
  strategy: { returnsDeleted: true },
  columns: [nameColumn, declared("string", size("Secrets", "secrets")), ageColumn],
  types: {
    mergeKeys: `
core.v1.ServiceAccount secrets=name
`,
    ownership: `
core.v1.ServiceAccount secrets=name
`,
    protobuf: `
authentication.v1.BoundObjectReference kind=1 apiVersion=2 name=3 uid=4
authentication.v1.TokenRequest metadata=1 spec=2 status=3
authentication.v1.TokenRequestSpec audiences=1 expirationSeconds=4* boundObjectRef=3
authentication.v1.TokenRequestStatus token=1* expirationTimestamp=2
core.v1.ServiceAccount metadata=1 secrets=2 imagePullSecrets=3 automountServiceAccountToken=4*
`,
  },
};
