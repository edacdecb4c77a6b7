import { stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import { combinedBundle } from "@keelson/operator-kit";

interface BundleKey {
  readonly namespace: string;
  readonly name: string;
}

const config = "openshift-config";
const managed = "openshift-config-managed";
const operator = "openshift-kube-apiserver-operator";

/** ConfigMaps with CAs that may sign client certificates. `client-ca` combines them. */
export const clientCaSources: readonly BundleKey[] = [
  { namespace: config, name: "admin-kubeconfig-client-ca" },
  { namespace: managed, name: "csr-controller-ca" },
  { namespace: operator, name: "kube-apiserver-to-kubelet-client-ca" },
  { namespace: operator, name: "kube-control-plane-signer-ca" },
  { namespace: "openshift-kube-apiserver", name: "user-client-ca" },
  { namespace: managed, name: "kubelet-bootstrap-kubeconfig" },
  { namespace: operator, name: "node-system-admin-ca" },
];

/** ConfigMaps with CAs that sign the API server's certificates. `kube-apiserver-server-ca` combines them. */
export const serverCaSources: readonly BundleKey[] = [
  { namespace: operator, name: "loadbalancer-serving-ca" },
  { namespace: operator, name: "localhost-serving-ca" },
  { namespace: operator, name: "service-network-serving-ca" },
  { namespace: operator, name: "localhost-recovery-serving-ca" },
];

/**
 * Returns the combined bundle in PEM. Missing sources are skipped.
 * @throws Error that names the unreadable source
 */
export function combinedCa(
  sources: readonly BundleKey[],
  find: (key: BundleKey) => KubeObject | undefined,
  now: Date,
): string {
  const bundles = sources.map((key) => ({
    name: `configmap/${key.name} in ${key.namespace}`,
    pem: stringAt(find(key), "data", "ca-bundle.crt") ?? "",
  }));
  return combinedBundle(bundles, now);
}
