/** Namespaces that the operator uses. */
export const namespaces = {
  /** Configuration that users write. */
  config: "openshift-config",
  /** Objects that operators publish for other operators. */
  managed: "openshift-config-managed",
  /** Namespace of the operator, with the signers and their bundles. */
  operator: "openshift-kube-apiserver-operator",
  /** Namespace of the API servers. */
  target: "openshift-kube-apiserver",
  etcd: "openshift-etcd",
  kubeSystem: "kube-system",
} as const;
