import { singleton } from "../cluster-resource.ts";
import { on, type PolicyRule } from "./policy-rule.ts";

/** Both roles patch conditions of the one Cluster. RBAC cannot limit the right to single conditions. */
export const clusterStatusRules: readonly PolicyRule[] = [
  on("aro.openshift.io", "clusters/status", ["patch"], [singleton.name]),
];
