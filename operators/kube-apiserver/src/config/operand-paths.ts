/** Directory of the numbered revision, as mounted in the static pod. */
export const resourceDir = "/etc/kubernetes/static-pod-resources";
/** Directory that the certificate syncer updates while the pod runs. */
export const certificateDir = "/etc/kubernetes/static-pod-certs";
/** Directory of secrets on the bootstrap machine. */
export const bootstrapSecretDir = "/etc/kubernetes/secrets";

interface KeyPairFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Files of a TLS Secret below one of these directories. */
export function keyPairFiles(folder: string, secret: string): KeyPairFiles {
  return { certFile: `${folder}/secrets/${secret}/tls.crt`, keyFile: `${folder}/secrets/${secret}/tls.key` };
}

export function configMapFile(folder: string, configMap: string, key: string): string {
  return `${folder}/configmaps/${configMap}/${key}`;
}

/** Kubeconfig of the user of the pod's processes. */
export const syncerKubeconfig = configMapFile(
  resourceDir,
  "kube-apiserver-cert-syncer-kubeconfig",
  "kubeconfig",
);
