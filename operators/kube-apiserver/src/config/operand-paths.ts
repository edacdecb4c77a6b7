/** Mount path of the revision's directory in the static pod. */
export const resourceDir = "/etc/kubernetes/static-pod-resources";
/** Directory of certificates that the certificate syncer updates while the pod runs. */
export const certificateDir = "/etc/kubernetes/static-pod-certs";
/** Directory of secrets on the bootstrap machine. */
export const bootstrapSecretDir = "/etc/kubernetes/secrets";

interface KeyPairFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Returns the paths of a TLS Secret's files in one of the directories above. */
export function keyPairFiles(directory: string, secret: string): KeyPairFiles {
  return {
    certFile: `${directory}/secrets/${secret}/tls.crt`,
    keyFile: `${directory}/secrets/${secret}/tls.key`,
  };
}

export function configMapFile(directory: string, configMap: string, key: string): string {
  return `${directory}/configmaps/${configMap}/${key}`;
}

/** Kubeconfig for the processes of the static pod. */
export const syncerKubeconfig = configMapFile(
  resourceDir,
  "kube-apiserver-cert-syncer-kubeconfig",
  "kubeconfig",
);
