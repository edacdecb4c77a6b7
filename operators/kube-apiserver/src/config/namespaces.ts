/** The namespaces that the operator reads and writes. */
export const namespaces = {
  /** What users configure. */
  config: "openshift-config",
  /** What operators publish for each other. */
  managed: "openshift-config-managed",
  /** The operator's own: signers and their bundles. */
  operator: "openshift-kube-apiserver-operator",
  /** Of the API servers. */
  target: "openshift-kube-apiserver",
  etcd: "openshift-etcd",
  kubeSystem: "kube-system",
} as const;
