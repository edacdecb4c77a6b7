import type { KubeObject } from "@keelson/apiserver";

interface ComponentCredentials {
  readonly name: string;
  readonly namespace: string;
  /** Name of the Secret with the component's credentials. */
  readonly secret: string;
  /** Service accounts of the component's pods. */
  readonly accounts: readonly string[];
}

const csiDrivers = "openshift-cluster-csi-drivers";

/** Components with Azure credentials. Source: the CredentialsRequests in the release payload. */
const components: readonly ComponentCredentials[] = [
  {
    name: "azure-disk-csi-driver-operator",
    namespace: csiDrivers,
    secret: "azure-disk-credentials",
    accounts: ["azure-disk-csi-driver-operator", "azure-disk-csi-driver-controller-sa"],
  },
  {
    name: "azure-file-csi-driver-operator",
    namespace: csiDrivers,
    secret: "azure-file-credentials",
    accounts: [
      "azure-file-csi-driver-operator",
      "azure-file-csi-driver-controller-sa",
      "azure-file-csi-driver-node-sa",
    ],
  },
  {
    name: "openshift-azure-cloud-controller-manager",
    namespace: "openshift-cloud-controller-manager",
    secret: "azure-cloud-credentials",
    accounts: ["cloud-controller-manager"],
  },
  {
    name: "openshift-cloud-network-config-controller-azure",
    namespace: "openshift-cloud-network-config-controller",
    secret: "cloud-credentials",
    accounts: ["cloud-network-config-controller"],
  },
  {
    name: "openshift-image-registry-azure",
    namespace: "openshift-image-registry",
    secret: "installer-cloud-credentials",
    accounts: ["cluster-image-registry-operator", "registry"],
  },
  {
    name: "openshift-ingress-azure",
    namespace: "openshift-ingress-operator",
    secret: "cloud-credentials",
    accounts: ["ingress-operator"],
  },
  {
    name: "openshift-machine-api-azure",
    namespace: "openshift-machine-api",
    secret: "azure-cloud-credentials",
    accounts: ["machine-api-controllers"],
  },
];

/** Returns the CredentialsRequests of a release and their service accounts. */
export function credentialsSeeds(): readonly KubeObject[] {
  return components.flatMap(({ name, namespace, secret, accounts }) => [
    {
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
        serviceAccountNames: accounts,
      },
    },
    ...accounts.map((account) => ({
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { namespace, name: account },
    })),
  ]);
}
