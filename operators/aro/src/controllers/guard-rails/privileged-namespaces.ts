/** Components with an operator that runs in a separate namespace. */
const withOperators = [
  "apiserver",
  "cloud-controller-manager",
  "console",
  "controller-manager",
  "dns",
  "etcd",
  "ingress",
  "kube-apiserver",
  "kube-controller-manager",
  "kube-scheduler",
  "service-ca",
];

const others = [
  "authentication-operator",
  "azure-guardrails",
  "azure-logging",
  "azure-operator",
  "cloud-credential-operator",
  "cluster-machine-approver",
  "cluster-storage-operator",
  "cluster-version",
  "config-managed",
  "config-operator",
  "host-network",
  "image-registry",
  "machine-api",
  "machine-config-operator",
  "managed-upgrade-operator",
  "monitoring",
  "multus",
  "network-operator",
  "oauth-apiserver",
  "operator-lifecycle-manager",
  "ovn-kubernetes",
  "sdn",
];

/** Namespaces of the platform and the service that customers must not change. */
export const privilegedNamespaces: readonly string[] = [
  "kube-node-lease",
  "kube-public",
  "kube-system",
  "openshift",
  ...[...withOperators, ...withOperators.map((each) => `${each}-operator`), ...others].map(
    (each) => `openshift-${each}`,
  ),
];
