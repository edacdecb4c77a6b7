import { randomUUID } from "node:crypto";

export const current = "2025-07-25";
export const first = "2019-12-31-preview";

/** Address of a cluster, with the URL for requests. */
export interface ClusterAddress {
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  readonly name: string;
  readonly id: string;
  /** Request URL, which consists of the cluster's ID and the newest API version. */
  readonly url: string;
}

export function clusterAddress(
  subscriptionId: string,
  name = "demo",
  resourceGroup = "Group",
): ClusterAddress {
  const id = `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}/providers/Microsoft.RedHatOpenShift/openShiftClusters/${name}`;
  return { subscriptionId, resourceGroup, name, id, url: `${id}?api-version=${current}` };
}

/** Returns a valid body of 2025-07-25 for a new cluster. Each body has a different client ID and managed resource group. */
export function clusterBody(
  { subscriptionId, resourceGroup, name }: ClusterAddress,
  clientId = randomUUID(),
) {
  const group = `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}`;
  const subnet = (subnetName: string) =>
    `${group}/providers/Microsoft.Network/virtualNetworks/vnet/subnets/${subnetName}`;
  return {
    location,
    tags: { owner: "tests" },
    properties: {
      clusterProfile: {
        pullSecret: "",
        domain: name.toLowerCase(),
        version: "",
        resourceGroupId: `/subscriptions/${subscriptionId}/resourceGroups/aro-${name}`,
        fipsValidatedModules: "Disabled",
      },
      servicePrincipalProfile: { clientId, clientSecret: "client-secret-of-the-test" },
      networkProfile: {
        podCidr: "10.128.0.0/14",
        serviceCidr: "172.30.0.0/16",
        outboundType: "",
        preconfiguredNSG: "Disabled",
      },
      masterProfile: { vmSize: "Standard_D8s_v3", subnetId: subnet("master"), encryptionAtHost: "Disabled" },
      workerProfiles: [
        {
          name: "worker",
          vmSize: "Standard_D4s_v3",
          diskSizeGB: 128,
          subnetId: subnet("worker"),
          count: 3,
          encryptionAtHost: "Disabled",
        },
      ],
      apiserverProfile: { visibility: "Public" },
      ingressProfiles: [{ name: "default", visibility: "Public" }],
    },
  };
}

export const location = "eastus";
