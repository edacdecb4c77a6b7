import { resourceGroupId } from "@keelson/arm";
import type { ServiceNetwork } from "../context/environment.ts";

export interface ServiceNetworkPlace {
  readonly subscriptionId: string;
  /** Resource group of the service. */
  readonly resourceGroup: string;
  /** Resource group of the gateway. Undefined if there is no gateway. */
  readonly gatewayResourceGroup?: string | undefined;
  /** True if Hive runs installers on a cluster in the service's resource group. */
  readonly hasHive?: boolean;
}

/**
 * Returns the IDs of the service's networks. The networks have the same names as in a deployment of the original (Azure/ARO-RP
 * pkg/deploy/generator).
 */
export function serviceNetwork(place: ServiceNetworkPlace): ServiceNetwork {
  const { subscriptionId, resourceGroup, gatewayResourceGroup, hasHive = false } = place;
  const idIn = (group: string, path: string) =>
    `${resourceGroupId(subscriptionId, group)}/providers/Microsoft.Network/${path}`;
  const subnetId = (group: string, network: string, subnet: string) =>
    idIn(group, `virtualNetworks/${network}/subnets/${subnet}`);
  return {
    privateEndpointSubnetId: subnetId(resourceGroup, "rp-pe-vnet-001", "rp-pe-subnet"),
    serviceSubnetId: subnetId(resourceGroup, "rp-vnet", "rp-subnet"),
    ...(hasHive ? { hiveSubnetId: subnetId(resourceGroup, "aks-net", "PodSubnet-001") } : {}),
    ...(gatewayResourceGroup === undefined
      ? {}
      : {
          gateway: {
            subnetId: subnetId(gatewayResourceGroup, "gateway-vnet", "gateway-subnet"),
            resourceGroup: gatewayResourceGroup,
            privateLinkServiceName: gatewayService,
            privateLinkServiceId: idIn(gatewayResourceGroup, `privateLinkServices/${gatewayService}`),
          },
        }),
  };
}

const gatewayService = "gateway-pls-001";
