import type { KubeObject } from "@keelson/apiserver";
import { secret } from "../../base/data-objects.ts";
import type { BootConfiguration } from "../../settings/cluster-settings.ts";

/** What binds the cluster to Azure: the service principal if it has one, the cloud provider's settings, a storage class. */
export function cloudSeeds({ settings, servicePrincipal }: BootConfiguration): readonly KubeObject[] {
  const { infraId, domain, platform } = settings;
  return [
    ...(servicePrincipal
      ? [
          secret("kube-system", "azure-credentials", {
            azure_client_id: servicePrincipal.clientId,
            azure_client_secret: servicePrincipal.clientSecret.reveal(),
            azure_region: platform.location,
            azure_resource_prefix: infraId,
            azure_resourcegroup: platform.resourceGroup,
            azure_subscription_id: platform.subscriptionId,
            azure_tenant_id: platform.tenantId,
          }),
        ]
      : []),
    ...["master", "worker"].map((role) =>
      secret("openshift-machine-api", `${role}-user-data`, {
        disableTemplating: "true",
        userData: JSON.stringify({
          ignition: {
            version: "3.2.0",
            config: { merge: [{ source: `https://api-int.${domain}:22623/config/${role}` }] },
          },
        }),
      }),
    ),
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { namespace: "openshift-config", name: "cloud-provider-config" },
      data: {
        config: JSON.stringify({
          cloud: "AzurePublicCloud",
          tenantId: platform.tenantId,
          subscriptionId: platform.subscriptionId,
          resourceGroup: platform.resourceGroup,
          location: platform.location,
          vnetName: platform.virtualNetwork,
          vnetResourceGroup: platform.networkResourceGroup,
          subnetName: platform.computeSubnet,
          securityGroupName: platform.networkSecurityGroup,
          loadBalancerSku: "standard",
          disableOutboundSNAT: true,
          useInstanceMetadata: true,
        }),
      },
    },
    {
      apiVersion: "storage.k8s.io/v1",
      kind: "StorageClass",
      metadata: {
        name: "managed-csi",
        annotations: { "storageclass.kubernetes.io/is-default-class": "true" },
      },
      provisioner: "disk.csi.azure.com",
      parameters: { skuname: "Premium_LRS" },
      reclaimPolicy: "Delete",
      allowVolumeExpansion: true,
      volumeBindingMode: "WaitForFirstConsumer",
    },
  ];
}
