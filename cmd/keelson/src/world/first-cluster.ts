import { resourceGroupId } from "@keelson/arm";
import { createPrincipal } from "../state/identity.ts";
import { embedded } from "./embedded-defaults.ts";

/**
 * The request for the first cluster, api-version 2025-07-25: three masters, three workers. It runs as a new
 * application, which the simulated Azure registers when it first signs in.
 */
export function firstClusterRequest(name: string, subscriptionId: string): object {
  const group = (groupName: string) => resourceGroupId(subscriptionId, groupName);
  const network = `${group(embedded.networkResourceGroup)}/providers/Microsoft.Network/virtualNetworks/${embedded.virtualNetwork}`;
  return {
    location: embedded.location,
    properties: {
      clusterProfile: {
        domain: name,
        resourceGroupId: group(`aro-${name}`),
        fipsValidatedModules: "Disabled",
      },
      servicePrincipalProfile: createPrincipal(),
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
