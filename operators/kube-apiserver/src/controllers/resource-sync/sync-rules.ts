import { type KubeResource, resources } from "@keelson/kube";
import type { SyncRule } from "@keelson/operator-kit";
import { namespaces } from "../../config/namespaces.ts";

const { config, managed, target } = namespaces;

const copy = (
  resource: KubeResource,
  from: readonly [string, string],
  to: readonly [string, string],
): SyncRule => ({
  resource,
  from: { namespace: from[0], name: from[1] },
  to: { namespace: to[0], name: to[1] },
});
const { configMaps, secrets } = resources;

/** Rules for copies of objects that this operator or other operators publish for the API servers. Observers add further rules. */
export const syncRules: readonly SyncRule[] = [
  copy(configMaps, [config, "etcd-serving-ca"], [target, "etcd-serving-ca"]),
  copy(secrets, [config, "etcd-client"], [target, "etcd-client"]),
  // The source exists if encryption is used now or was used before.
  copy(secrets, [managed, "encryption-config-openshift-kube-apiserver"], [target, "encryption-config"]),
  copy(configMaps, [managed, "sa-token-signing-certs"], [target, "sa-token-signing-certs"]),
  copy(configMaps, [managed, "kube-apiserver-aggregator-client-ca"], [target, "aggregator-client-ca"]),
  copy(configMaps, [managed, "csr-controller-ca"], [target, "kubelet-serving-ca"]),
  copy(configMaps, [target, "client-ca"], [managed, "kube-apiserver-client-ca"]),
  ...["kubelet-serving-ca", "kube-apiserver-server-ca", "bound-sa-token-signing-certs"].map((name) =>
    copy(configMaps, [target, name], [managed, name]),
  ),
];
