import { stringify } from "yaml";

export interface KubeconfigRequest {
  /** The API server's URL; a path is kept. */
  readonly server: string;
  /** The certificate authority of the server; without it clients trust the system's. */
  readonly caPem?: string;
  readonly clientCertificatePem: string;
  readonly clientKeyPem: string;
  readonly clusterName: string;
  readonly userName: string;
}

/** A kubeconfig (YAML) with one cluster, one user and one context, which is named like the user and is current. */
export function createKubeconfig(request: KubeconfigRequest): string {
  const { server, caPem, clientCertificatePem, clientKeyPem, clusterName, userName } = request;
  return stringify(
    {
      apiVersion: "v1",
      kind: "Config",
      clusters: [
        {
          name: clusterName,
          cluster: {
            server,
            ...(caPem === undefined ? {} : { "certificate-authority-data": base64(caPem) }),
          },
        },
      ],
      users: [
        {
          name: userName,
          user: {
            "client-certificate-data": base64(clientCertificatePem),
            "client-key-data": base64(clientKeyPem),
          },
        },
      ],
      contexts: [{ name: userName, context: { cluster: clusterName, user: userName } }],
      "current-context": userName,
      preferences: {},
    },
    { lineWidth: 0 },
  );
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
