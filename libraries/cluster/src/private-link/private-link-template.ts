import { azureNames, infraIdOf, networkId, type OpenShiftCluster, regionOf } from "@keelson/model";
import type { ServiceNetwork } from "../context/environment.ts";
import { internalFrontend } from "../load-balancer/load-balancers.ts";
import { type TemplateResource, templateResource } from "../managed-group/template-resource.ts";

/**
 * Returns the private link service of the API server. Through this service, the resource provider reaches API servers without a
 * public address.
 */
export function privateLinkService(
  cluster: OpenShiftCluster,
  serviceSubscriptionId: string,
): TemplateResource {
  const names = azureNames(infraIdOf(cluster));
  const balancer = networkId(cluster, "loadBalancers", names.internalLoadBalancer);
  const subscriptions = [serviceSubscriptionId];
  return templateResource(
    "Microsoft.Network/privateLinkServices",
    names.privateLinkService,
    {
      location: regionOf(cluster),
      properties: {
        loadBalancerFrontendIpConfigurations: [
          { id: `${balancer}/frontendIPConfigurations/${internalFrontend}` },
        ],
        ipConfigurations: [
          {
            name: `${names.privateLinkService}-nic`,
            properties: { subnet: { id: cluster.properties.masterProfile.subnetId } },
          },
        ],
        visibility: { subscriptions },
        autoApproval: { subscriptions },
      },
    },
    [`Microsoft.Network/loadBalancers/${names.internalLoadBalancer}`],
  );
}

/** Returns the private endpoint with which the cluster connects to the gateway. A later step approves the endpoint. */
export function gatewayPrivateEndpoint(
  cluster: OpenShiftCluster,
  { privateLinkServiceId }: Required<ServiceNetwork>["gateway"],
): TemplateResource {
  return templateResource(
    "Microsoft.Network/privateEndpoints",
    azureNames(infraIdOf(cluster)).gatewayPrivateEndpoint,
    {
      location: cluster.location,
      properties: {
        subnet: { id: cluster.properties.masterProfile.subnetId },
        manualPrivateLinkServiceConnections: [
          { name: "gateway-plsconnection", properties: { privateLinkServiceId } },
        ],
      },
    },
  );
}
