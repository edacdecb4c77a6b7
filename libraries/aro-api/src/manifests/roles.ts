import { resources } from "@keelson/kube";
import { type Manifest, manifest } from "./manifest.ts";
import { type OperatorRole, operatorNameOf, operatorNamespace } from "./operator-names.ts";
import { operatorRules } from "./operator-rules.generated.ts";

/** Returns the service account of an operator role, with its RBAC roles and bindings. */
export function account(role: OperatorRole): readonly Manifest[] {
  const name = operatorNameOf(role);
  const { cluster, namespaces } = operatorRules[role];
  const subjects = [{ kind: "ServiceAccount", name, namespace: operatorNamespace }];
  const roleRef = (kind: string) => ({ apiGroup: "rbac.authorization.k8s.io", kind, name });
  return [
    manifest(resources.serviceAccounts, { name, namespace: operatorNamespace }),
    manifest(resources.clusterRoles, { name }, { rules: cluster }),
    manifest(resources.clusterRoleBindings, { name }, { roleRef: roleRef("ClusterRole"), subjects }),
    ...Object.entries(namespaces).flatMap(([namespace, rules]) => [
      // Creates the Role's namespace. The component that owns the namespace may not have created it yet. An existing namespace
      // stays unchanged.
      ...(namespace === operatorNamespace ? [] : [manifest(resources.namespaces, { name: namespace })]),
      manifest(resources.roles, { name, namespace }, { rules }),
      manifest(resources.roleBindings, { name, namespace }, { roleRef: roleRef("Role"), subjects }),
    ]),
  ];
}
