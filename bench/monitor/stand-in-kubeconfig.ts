import { createKubeconfig } from "@keelson/kube";

/** What the process that stands in for clusters prints. */
export interface StandIn {
  readonly url: string;
  readonly caPem: string;
  readonly clientCertificatePem: string;
  readonly clientKeyPem: string;
}

export function kubeconfigOf(
  { url, caPem, clientCertificatePem, clientKeyPem }: StandIn,
  cluster: number,
): string {
  return createKubeconfig({
    server: `${url}/clusters/${cluster}`,
    caPem,
    clientCertificatePem,
    clientKeyPem,
    clusterName: "bench",
    userName: "service",
  });
}
