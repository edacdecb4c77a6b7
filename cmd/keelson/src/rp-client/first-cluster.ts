import { resourceGroupId } from "@keelson/arm";
import { embedded } from "../state/embedded-defaults.ts";
import type { Principal } from "../state/identity.ts";

/** Returns the resource ID of the virtual network that all clusters of the embedded world use. */
export function embeddedNetworkId(subscriptionId: string): string {
  const group = resourceGroupId(subscriptionId, embedded.networkResourceGroup);
  return `${group}/providers/Microsoft.Network/virtualNetworks/${embedded.virtualNetwork}`;
}

/** Returns the creation request for the first cluster: api-version 2025-07-25, three masters, three workers. */
export function firstClusterRequest(
  name: string,
  subscriptionId: string,
  servicePrincipalProfile: Principal,
): object {
  const group = (groupName: string) => resourceGroupId(subscriptionId, groupName);
  const network = embeddedNetworkId(subscriptionId);
  return {
    location: embedded.location,
    properties: {
      clusterProfile: {
        domain: name,
        resourceGroupId: group(`aro-${name}`),
        fipsValidatedModules: "Disabled",
      },
      servicePrincipalProfile,
      networkProfile: { podCidr: "10.128.0.0/14", serviceCidr: "172.30.0.0/16" },
      masterProfile: {
        vmSize: "Standard_D8s_v3",
        subnetId: `${network}/subnets/${name}-master`,
        encryptionAtHost: "Disabled",
      },
      workerProfiles: [
        {
          name: "worker",
          vmSize: "Standard_D4s_v3",
          diskSizeGB: 128,
          subnetId: `${network}/subnets/${name}-worker`,
          count: 3,
          encryptionAtHost: "Disabled",
        },
      ],
      apiserverProfile: { visibility: "Public" },
      ingressProfiles: [{ name: "default", visibility: "Public" }],
    },
  };
}
