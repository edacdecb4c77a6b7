import type { KubeObject } from "@keelson/apiserver";
import type { ClusterSettings } from "../../settings/cluster-settings.ts";

/** Returns the cloud provider settings and a storage class. */
export function cloudSeeds(settings: ClusterSettings): readonly KubeObject[] {
  return [
    cloudProviderConfig(settings),
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

/** Returns a ConfigMap with the names of the cluster's Azure resources. Components need them to create further resources. */
export function cloudProviderConfig({ platform }: ClusterSettings): KubeObject {
  return {
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
  };
}
