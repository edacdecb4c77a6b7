import type { KubeObject } from "@keelson/apiserver";

/** Namespaces of an OpenShift release that users and operators read. */
const names = [
  "kube-system",
  "openshift",
  "openshift-apiserver",
  "openshift-apiserver-operator",
  "openshift-authentication",
  "openshift-authentication-operator",
  "openshift-cloud-controller-manager",
  "openshift-cloud-controller-manager-operator",
  "openshift-cloud-credential-operator",
  "openshift-cloud-network-config-controller",
  "openshift-cluster-csi-drivers",
  "openshift-cluster-machine-approver",
  "openshift-cluster-node-tuning-operator",
  "openshift-cluster-olm-operator",
  "openshift-cluster-samples-operator",
  "openshift-cluster-storage-operator",
  "openshift-cluster-version",
  "openshift-config",
  "openshift-config-managed",
  "openshift-config-operator",
  "openshift-console",
  "openshift-console-operator",
  "openshift-console-user-settings",
  "openshift-controller-manager",
  "openshift-controller-manager-operator",
  "openshift-dns",
  "openshift-dns-operator",
  "openshift-etcd",
  "openshift-etcd-operator",
  "openshift-host-network",
  "openshift-image-registry",
  "openshift-infra",
  "openshift-ingress",
  "openshift-ingress-canary",
  "openshift-ingress-operator",
  "openshift-insights",
  "openshift-kube-apiserver",
  "openshift-kube-apiserver-operator",
  "openshift-kube-controller-manager",
  "openshift-kube-controller-manager-operator",
  "openshift-kube-scheduler",
  "openshift-kube-scheduler-operator",
  "openshift-kube-storage-version-migrator",
  "openshift-kube-storage-version-migrator-operator",
  "openshift-machine-api",
  "openshift-machine-config-operator",
  "openshift-marketplace",
  "openshift-monitoring",
  "openshift-multus",
  "openshift-network-diagnostics",
  "openshift-network-node-identity",
  "openshift-network-operator",
  "openshift-node",
  "openshift-oauth-apiserver",
  "openshift-operator-lifecycle-manager",
  "openshift-operators",
  "openshift-ovn-kubernetes",
  "openshift-route-controller-manager",
  "openshift-service-ca",
  "openshift-service-ca-operator",
  "openshift-user-workload-monitoring",
];

export function namespaceSeeds(): readonly KubeObject[] {
  return names.map((name) => ({
    apiVersion: "v1",
    kind: "Namespace",
    metadata: {
      name,
      annotations: { "openshift.io/node-selector": "" },
      labels: { "openshift.io/cluster-monitoring": "true", ...podSecurityOf(name) },
    },
  }));
}

/**
 * Returns labels that allow privileged pods in platform namespaces. The API server's operator reports violations in namespaces
 * without these labels.
 */
function podSecurityOf(name: string): Readonly<Record<string, string>> {
  if (!name.startsWith("openshift-")) return {};
  return Object.fromEntries(
    ["audit", "enforce", "warn"].map((mode) => [`pod-security.kubernetes.io/${mode}`, "privileged"]),
  );
}
