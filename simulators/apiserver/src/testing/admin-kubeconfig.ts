import type { KeyPair } from "@keelson/base";
import { createKubeconfig } from "@keelson/kube";

/** Returns the kubeconfig of a cluster's administrator. */
export function adminKubeconfig(url: string, authority: KeyPair, admin: KeyPair): string {
  return createKubeconfig({
    server: url,
    caPem: authority.certificatePem,
    clientCertificatePem: admin.certificatePem,
    clientKeyPem: admin.privateKeyPem,
    clusterName: "demo",
    userName: "admin",
  });
}
