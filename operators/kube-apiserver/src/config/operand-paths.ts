/** Of the numbered revision, as the static pod mounts it. */
export const resourceDir = "/etc/kubernetes/static-pod-resources";
/** Of what the certificate syncer keeps up to date while the pod runs. */
export const certificateDir = "/etc/kubernetes/static-pod-certs";
/** Of the machine that bootstraps the cluster. */
export const bootstrapSecretDir = "/etc/kubernetes/secrets";

interface KeyPairFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** The files of a TLS Secret below one of these folders. */
export function keyPairFiles(folder: string, secret: string): KeyPairFiles {
  return { certFile: `${folder}/secrets/${secret}/tls.crt`, keyFile: `${folder}/secrets/${secret}/tls.key` };
}

export function configMapFile(folder: string, configMap: string, key: string): string {
  return `${folder}/configmaps/${configMap}/${key}`;
}

/** Of the user that the pod's own processes are. */
export const syncerKubeconfig = configMapFile(
  resourceDir,
  "kube-apiserver-cert-syncer-kubeconfig",
  "kubeconfig",
);
