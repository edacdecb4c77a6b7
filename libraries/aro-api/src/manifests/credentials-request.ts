import { resources } from "@keelson/kube";
import { manifest } from "./manifest.ts";
import { credentialsSecretName, operatorNameOf, operatorNamespace } from "./operator-names.ts";

/** CredentialsRequest for the operator. The operator manages networks and storage accounts with these credentials. */
export const credentialsRequest = manifest(
  resources.credentialsRequests,
  {
    name: "openshift-azure-operator",
    namespace: "openshift-cloud-credential-operator",
    labels: { "controller-tools.k8s.io": "1.0" },
    annotations: {
      "exclude.release.openshift.io/internal-openshift-hosted": "true",
      "include.release.openshift.io/self-managed-high-availability": "true",
    },
    finalizers: ["cloudcredential.openshift.io/deprovision"],
  },
  {
    spec: {
      providerSpec: {
        apiVersion: "cloudcredential.openshift.io/v1",
        kind: "AzureProviderSpec",
        permissions: [
          "Microsoft.Storage/storageAccounts/listKeys/action",
          "Microsoft.Storage/storageAccounts/read",
          "Microsoft.Network/virtualNetworks/subnets/read",
          "Microsoft.Network/virtualNetworks/subnets/write",
          "Microsoft.Network/natGateways/join/action",
          "Microsoft.Network/routeTables/join/action",
          "Microsoft.Network/networkSecurityGroups/join/action",
          "Microsoft.Network/serviceEndpointPolicies/join/action",
          "Microsoft.Network/networkIntentPolicies/join/action",
          "Microsoft.Network/networkManagers/ipamPools/associateResourcesToPool/action",
        ],
      },
      secretRef: { name: credentialsSecretName, namespace: operatorNamespace },
      serviceAccountNames: [operatorNameOf("master")],
    },
  },
);
