import type { KubeObject } from "@keelson/apiserver";

/** Which components ask for credentials, and where they look for them (the release payload's CredentialsRequests). */
const requests: readonly (readonly [name: string, namespace: string, secret: string])[] = [
  ["azure-disk-csi-driver-operator", "openshift-cluster-csi-drivers", "azure-disk-credentials"],
  ["azure-file-csi-driver-operator", "openshift-cluster-csi-drivers", "azure-file-credentials"],
  [
    "openshift-azure-cloud-controller-manager",
    "openshift-cloud-controller-manager",
    "azure-cloud-credentials",
  ],
  [
    "openshift-cloud-network-config-controller-azure",
    "openshift-cloud-network-config-controller",
    "cloud-credentials",
  ],
  ["openshift-image-registry-azure", "openshift-image-registry", "installer-cloud-credentials"],
  ["openshift-ingress-azure", "openshift-ingress-operator", "cloud-credentials"],
  ["openshift-machine-api-azure", "openshift-machine-api", "azure-cloud-credentials"],
];

/** The CredentialsRequests that a release brings. */
export function credentialsSeeds(): readonly KubeObject[] {
  return requests.map(([name, namespace, secret]) => ({
    apiVersion: "cloudcredential.openshift.io/v1",
    kind: "CredentialsRequest",
    metadata: { namespace: "openshift-cloud-credential-operator", name },
    spec: {
      providerSpec: {
        apiVersion: "cloudcredential.openshift.io/v1",
        kind: "AzureProviderSpec",
        roleBindings: [{ role: "Contributor" }],
      },
      secretRef: { name: secret, namespace },
      serviceAccountNames: [name],
    },
  }));
}
