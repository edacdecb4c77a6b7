import { nonNegative, positive } from "../../catalogue/checks.ts";
import { ageColumn, nameColumn, textOf } from "../../columns/column.ts";
import type { Kind } from "../kind.ts";

/**
 * Built-in kind Lease. Source of its rules: kubernetes pkg/apis/coordination/v1/defaults.go and
 * pkg/apis/coordination/validation/validation.go.
 */
export const lease: Kind = {
  group: "coordination.k8s.io",
  versions: ["v1"],
  kind: "Lease",
  plural: "leases",
  namespaced: true,
  description: "A lock with a holder and a time to live.",
  strategy: { createsOnUpdate: true, requiresResourceVersion: true },
  columns: [nameColumn, textOf("Holder", "spec.holderIdentity"), ageColumn],
  types: {
    defaults: `
coordination.v1.Lease spec={}
`,
    checks: {
      "coordination.v1.LeaseSpec": [
        ["leaseDurationSeconds", positive],
        ["leaseTransitions", nonNegative],
      ],
    },
    protobuf: `
coordination.v1.Lease metadata=1 spec=2
coordination.v1.LeaseSpec holderIdentity=1* leaseDurationSeconds=2* acquireTime=3 renewTime=4 leaseTransitions=5* strategy=6* preferredHolder=7*
`,
  },
};
