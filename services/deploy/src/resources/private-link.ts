import { groupLocation, type Value } from "../template/expression.ts";
import { idOf, type Resource } from "../template/template.ts";

export interface PrivateLinkService {
  readonly name: string;
  readonly loadBalancer: Resource;
  readonly frontend: string;
  readonly subnetId: Value;
}

/**
 * Returns a private link service for a load balancer. For each connection, the private link service sends the endpoint's ID in
 * the PROXY protocol. The resource provider approves each private endpoint.
 */
export function privateLinkService(service: PrivateLinkService): Resource {
  return {
    type: "Microsoft.Network/privateLinkServices",
    name: [service.name],
    location: groupLocation,
    dependsOn: [idOf(service.loadBalancer)],
    properties: {
      enableProxyProtocol: true,
      loadBalancerFrontendIpConfigurations: [
        { id: idOf(service.loadBalancer, "frontendIPConfigurations", service.frontend) },
      ],
      ipConfigurations: [
        {
          name: `${service.name}-nic`,
          properties: { primary: true, subnet: { id: service.subnetId } },
        },
      ],
    },
  };
}
