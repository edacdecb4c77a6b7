/** The namespaces that the operator reads and writes. */
export const namespaces = {
  /** Configuration by users. */
  config: "openshift-config",
  /** Objects that operators publish for each other. */
  managed: "openshift-config-managed",
  /** Namespace of the operator, with signers and their bundles. */
  operator: "openshift-kube-apiserver-operator",
  /** Namespace of the API servers. */
  target: "openshift-kube-apiserver",
  etcd: "openshift-etcd",
  kubeSystem: "kube-system",
} as const;
