import type { SourceNames } from "@keelson/operator-kit";

/** Names of ConfigMaps and Secrets that each revision copies. The first ConfigMap contains the manifest. */
export const revisionedSources: SourceNames = {
  configMaps: [
    "kube-apiserver-pod",
    "config",
    "kube-apiserver-cert-syncer-kubeconfig",
    "bound-sa-token-signing-certs",
    "etcd-serving-ca",
    "kubelet-serving-ca",
    "sa-token-signing-certs",
    "kube-apiserver-audit-policies",
  ],
  optionalConfigMaps: ["oauth-metadata", "cloud-config", "kube-apiserver-server-ca", "auth-config"],
  secrets: ["etcd-client", "localhost-recovery-serving-certkey", "localhost-recovery-client-token"],
  optionalSecrets: ["encryption-config", "webhook-authenticator"],
};

/** Names of ConfigMaps and Secrets that the cert syncer updates on every node, independent of the node's revision. */
export const syncedSources: SourceNames = {
  configMaps: [
    "aggregator-client-ca",
    "client-ca",
    "control-plane-node-kubeconfig",
    "check-endpoints-kubeconfig",
  ],
  optionalConfigMaps: ["trusted-ca-bundle"],
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
  ],
  optionalSecrets: [
    "user-serving-cert",
    ...Array.from({ length: 10 }, (_, at) => `user-serving-cert-${String(at).padStart(3, "0")}`),
  ],
};
