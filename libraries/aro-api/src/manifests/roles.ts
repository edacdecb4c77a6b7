import { resources } from "@keelson/kube";
import { clusterStatusRules } from "./cluster-status-rules.ts";
import { type Manifest, manifest } from "./manifest.ts";
import { masterRules, masterRulesIn } from "./master-rules.ts";
import { type OperatorRole, operatorNameOf, operatorNamespace } from "./operator-names.ts";
import { on, type PolicyRule, reading } from "./policy-rule.ts";

const workerRules: readonly PolicyRule[] = [
  on("aro.openshift.io", "clusters", reading),
  ...clusterStatusRules,
  // Through which its connections leave.
  on("config.openshift.io", "proxies", reading),
];

const rulesOf = { master: masterRules, worker: workerRules };
const rulesIn: Readonly<Record<OperatorRole, typeof masterRulesIn>> = { master: masterRulesIn, worker: {} };

/** The service account of a role of the operator, with its rights. */
export function account(role: OperatorRole): readonly Manifest[] {
  const name = operatorNameOf(role);
  const subjects = [{ kind: "ServiceAccount", name, namespace: operatorNamespace }];
  const roleRef = (kind: string) => ({ apiGroup: "rbac.authorization.k8s.io", kind, name });
  return [
    manifest(resources.serviceAccounts, { name, namespace: operatorNamespace }),
    manifest(resources.clusterRoles, { name }, { rules: rulesOf[role] }),
    manifest(resources.clusterRoleBindings, { name }, { roleRef: roleRef("ClusterRole"), subjects }),
    ...Object.entries(rulesIn[role]).flatMap(([namespace, rules]) => [
      // The namespace of another component, before that component makes it; what is in it stays.
      ...(namespace === operatorNamespace ? [] : [manifest(resources.namespaces, { name: namespace })]),
      manifest(resources.roles, { name, namespace }, { rules }),
      manifest(resources.roleBindings, { name, namespace }, { roleRef: roleRef("Role"), subjects }),
    ]),
  ];
}
