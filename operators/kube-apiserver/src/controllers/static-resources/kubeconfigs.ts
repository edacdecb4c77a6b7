import { stringify } from "yaml";
import { namespaces } from "../../config/namespaces.ts";
import { certificateDir, configMapFile, keyPairFiles, resourceDir } from "../../config/operand-paths.ts";

/** Returns a kubeconfig for the API server on the same node. Processes of the static pod and of the node use it. */
function loopbackKubeconfig(name: string, user: object, cluster: object = {}): string {
  return stringify(
    {
      apiVersion: "v1",
      kind: "Config",
      preferences: {},
      clusters: [
        {
          cluster: {
            "certificate-authority": configMapFile(resourceDir, "kube-apiserver-server-ca", "ca-bundle.crt"),
            server: "https://localhost:6443",
            ...cluster,
          },
          name: "loopback",
        },
      ],
      contexts: [{ context: { cluster: "loopback", user: name }, name }],
      "current-context": name,
      users: [{ name, user }],
    },
    { lineWidth: 0 },
  );
}

function clientOf(secret: string): object {
  const { certFile, keyFile } = keyPairFiles(certificateDir, secret);
  return { "client-certificate": certFile, "client-key": keyFile };
}

const contents: Readonly<Record<string, string>> = {
  // The certificate syncer must work even after all other certificates have expired. It uses a token and a certificate that are
  // valid for ten years.
  "kube-apiserver-cert-syncer-kubeconfig": loopbackKubeconfig(
    "kube-apiserver-cert-syncer",
    { tokenFile: `${resourceDir}/secrets/localhost-recovery-client-token/token` },
    { "tls-server-name": "localhost-recovery" },
  ),
  "control-plane-node-kubeconfig": loopbackKubeconfig(
    "control-plane-node",
    clientOf("control-plane-node-admin-client-cert-key"),
  ),
  "check-endpoints-kubeconfig": loopbackKubeconfig(
    "check-endpoints",
    clientOf("check-endpoints-client-cert-key"),
  ),
};

export const kubeconfigMaps = Object.entries(contents).map(([name, kubeconfig]) => ({
  metadata: { namespace: namespaces.target, name },
  data: { kubeconfig },
}));
