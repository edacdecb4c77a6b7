import { keeping, type Manifest, manifest, on, reading } from "@keelson/aro-api";
import { resources } from "@keelson/kube";
import { name, namespace, serviceAccount } from "./names.ts";

const rbac = "rbac.authorization.k8s.io";
const all = [...keeping, "update"];
const prometheus = { kind: "ServiceAccount", name: "prometheus-k8s", namespace: "openshift-monitoring" };
const ofMonitoring = [
  on("", "configmaps serviceaccounts secrets services", reading),
  on("route.openshift.io", "routes", reading),
];

type Rules = readonly ReturnType<typeof on>[];

/** Returns a Role in a namespace, and the RoleBinding that binds the Role to one account. */
function granted(
  role: { readonly name: string; readonly namespace: string },
  subject: typeof prometheus,
  rules: Rules,
): readonly Manifest[] {
  const roleRef = { apiGroup: rbac, kind: "Role", name: role.name };
  return [
    manifest(resources.roles, role, { rules }),
    manifest(resources.roleBindings, role, { roleRef, subjects: [subject] }),
  ];
}

/** Permissions of the managed upgrade operator in the cluster, and permissions of Prometheus in the operator's namespace. */
export const rights: readonly Manifest[] = [
  manifest(
    resources.clusterRoles,
    { name },
    {
      rules: [
        on("", "pods pods/finalizers", all),
        on("", "events nodes", reading),
        on("upgrade.managed.openshift.io", "upgradeconfigs upgrade upgradeconfigs/status", all),
        on("config.openshift.io", "clusterversions clusteroperators", [...reading, "patch", "update"]),
        on("config.openshift.io", "infrastructures", ["get", "list"]),
        on("machine.openshift.io", "machines machinesets", ["create", "delete", "get", "list"]),
        on("machineconfiguration.openshift.io", "machineconfigpools", reading),
        on("operators.coreos.com", "subscriptions", ["*"]),
        on("monitoring.coreos.com", "servicemonitors", ["create", "update", "get", "list", "patch"]),
        on("policy", "poddisruptionbudgets", reading),
        on("fileintegrity.openshift.io", "fileintegrities", ["get", "update"]),
      ],
    },
  ),
  manifest(
    resources.clusterRoleBindings,
    { name },
    { roleRef: { apiGroup: rbac, kind: "ClusterRole", name }, subjects: [serviceAccount] },
  ),
  ...granted({ name, namespace }, serviceAccount, [
    on("", "configmaps secrets services services/finalizers", [...reading, "create", "delete", "update"]),
    on("apps", "deployments deployments/finalizers replicasets", [...reading, "update"]),
    on("", "events", ["create", "patch"]),
    on("coordination.k8s.io", "leases", all),
  ]),
  ...granted({ name: prometheus.name, namespace }, prometheus, [on("", "services endpoints pods", reading)]),
  ...granted(
    { name: "muo-monitoring-reader", namespace: prometheus.namespace },
    serviceAccount,
    ofMonitoring,
  ),
  ...granted({ name: "muo-monitoring-interactor", namespace: prometheus.namespace }, serviceAccount, [
    ...ofMonitoring,
    on("", "serviceaccounts/token", ["create"]),
  ]),
  ...granted({ name: "muo-pullsecret-reader", namespace: "openshift-config" }, serviceAccount, [
    on("", "secrets", reading),
  ]),
];
