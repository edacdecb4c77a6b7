import { resources } from "@keelson/kube";
import { type Manifest, manifest } from "./manifest.ts";
import { type OperatorRole, operatorNameOf, operatorNamespace } from "./operator-names.ts";

const rules = {
  worker: [
    { apiGroups: ["aro.openshift.io"], resources: ["clusters"], verbs: ["get", "list", "watch"] },
    { apiGroups: ["aro.openshift.io"], resources: ["clusters/status"], verbs: ["get", "patch", "update"] },
  ],
};

/** The service account of a role of the operator, with its rights. */
export function account(role: OperatorRole): readonly Manifest[] {
  const name = operatorNameOf(role);
  const clusterRole = role === "master" ? "cluster-admin" : name;
  return [
    manifest(resources.serviceAccounts, { name, namespace: operatorNamespace }),
    ...(role === "worker" ? [manifest(resources.clusterRoles, { name }, { rules: rules.worker })] : []),
    manifest(
      resources.clusterRoleBindings,
      { name },
      {
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: clusterRole },
        subjects: [{ kind: "ServiceAccount", name, namespace: operatorNamespace }],
      },
    ),
  ];
}
