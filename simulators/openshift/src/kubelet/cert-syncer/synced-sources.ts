/** ConfigMaps and Secrets that a cert syncer copies to the node's disk. The list is compiled into the operator. */
export interface SyncedSources {
  readonly configMaps: readonly string[];
  readonly secrets: readonly string[];
  /**
   * Names of optional objects. If such an object is deleted, its files on the disk are deleted too. The files of all other
   * objects remain.
   */
  readonly optional: ReadonlySet<string>;
}

const userServingCertificates = [
  "user-serving-cert",
  ...Array.from({ length: 10 }, (_, at) => `user-serving-cert-${String(at).padStart(3, "0")}`),
];

/** Synced sources by program. Source: `pkg/operator/starter.go` of each operator with a `cert-syncer` command. */
export const syncedSources: Readonly<Record<string, SyncedSources>> = {
  "cluster-etcd-operator": {
    configMaps: ["restore-etcd-pod", "etcd-scripts", "etcd-all-bundles", "external-etcd-pod"],
    secrets: ["etcd-all-certs"],
    optional: new Set(["external-etcd-pod"]),
  },
  "cluster-kube-apiserver-operator": {
    configMaps: [
      "aggregator-client-ca",
      "client-ca",
      "trusted-ca-bundle",
      "control-plane-node-kubeconfig",
      "check-endpoints-kubeconfig",
    ],
    secrets: [
      "aggregator-client",
      "localhost-serving-cert-certkey",
      "service-network-serving-certkey",
      "external-loadbalancer-serving-certkey",
      "internal-loadbalancer-serving-certkey",
      "bound-service-account-signing-key",
      "control-plane-node-admin-client-cert-key",
      "check-endpoints-client-cert-key",
      "kubelet-client",
      "node-kubeconfigs",
      ...userServingCertificates,
    ],
    optional: new Set(["trusted-ca-bundle", ...userServingCertificates]),
  },
  "cluster-kube-controller-manager-operator": {
    configMaps: ["aggregator-client-ca", "client-ca", "trusted-ca-bundle"],
    secrets: ["kube-controller-manager-client-cert-key", "csr-signer"],
    optional: new Set(["trusted-ca-bundle"]),
  },
  "cluster-kube-scheduler-operator": {
    configMaps: [],
    secrets: ["kube-scheduler-client-cert-key"],
    optional: new Set(),
  },
};
