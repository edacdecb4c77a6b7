import { pathSegmentName } from "../../catalogue/names.ts";
import type { Kind } from "../kind.ts";

export const clusterRole: Kind = {
  group: "rbac.authorization.k8s.io",
  versions: ["v1"],
  kind: "ClusterRole",
  plural: "clusterroles",
  namespaced: false,
  strategy: { nameFault: pathSegmentName, createsOnUpdate: true },
  types: {
    protobuf: `
rbac.v1.AggregationRule clusterRoleSelectors=1
rbac.v1.ClusterRole metadata=1 rules=2 aggregationRule=3
`,
  },
};
