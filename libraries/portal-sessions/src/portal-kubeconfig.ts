/**
 * Returns a kubeconfig as JSON in the field order of Azure/ARO-RP's portal. The admin API and the portal return the same bytes,
 * because both use this function.
 */
export function portalKubeconfig(server: string, certificatePem: string, token: string): string {
  return JSON.stringify(
    {
      kind: "Config",
      apiVersion: "v1",
      preferences: {},
      clusters: [
        {
          name: "cluster",
          cluster: { server, "certificate-authority-data": Buffer.from(certificatePem).toString("base64") },
        },
      ],
      users: [{ name: "user", user: { token } }],
      contexts: [{ name: "context", context: { cluster: "cluster", user: "user", namespace: "default" } }],
      "current-context": "context",
    },
    null,
    4,
  );
}
