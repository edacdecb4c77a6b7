import { badRequest } from "../arm/arm-error.ts";
import { lastSegment } from "../arm/arm-path.ts";
import { renderResource } from "../arm/rendering.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import type { Subscription } from "../arm/subscription.ts";
import { at, nonEmptyStringAt, objectsAt, withProperties } from "../base/json.ts";
import { guidOf } from "../entra/credentials.ts";
import { resourceName } from "./names.ts";
import { withPrivateAddresses } from "./private-addresses.ts";

/** Private link services. Each service makes a load balancer available to private endpoints in other networks. */
export const privateLinkServices: ResourceType = {
  namespace: "Microsoft.Network",
  type: "privateLinkServices",
  etag: "weak",
  names: resourceName,
  readOnly: ["alias", "privateEndpointConnections", "networkInterfaces", "resourceGuid"],
  elements: { ipConfigurations: {} },
  references: [
    { within: "ipConfigurations", path: ["subnet"] },
    { path: ["loadBalancerFrontendIpConfigurations"] },
  ],
  prepare({ id, name, body, existing }, subscription) {
    const frontends = objectsAt(body, "properties", "loadBalancerFrontendIpConfigurations");
    const configurations = objectsAt(body, "properties", "ipConfigurations");
    if (frontends.length === 0 || configurations.length === 0) {
      throw badRequest(
        "InvalidRequestFormat",
        `Private link service ${name} needs 'loadBalancerFrontendIpConfigurations' and 'ipConfigurations'.`,
      );
    }
    for (const each of configurations)
      checkSubnetPolicy(id, nonEmptyStringAt(each, "properties", "subnet", "id"), subscription);
    const before = objectsAt(existing?.body, "properties", "ipConfigurations");
    const subscriptions = (list: string) => at(body, "properties", list, "subscriptions") ?? [];
    return {
      body: withProperties(body, {
        alias: `${name}.${guidOf(id)}.${nonEmptyStringAt(body, "location")}.azure.privatelinkservice`,
        ipConfigurations: withPrivateAddresses(configurations, before, id, subscription),
        loadBalancerFrontendIpConfigurations: frontends.map((each) => ({
          id: nonEmptyStringAt(each, "id") ?? "",
        })),
        visibility: { subscriptions: subscriptions("visibility") },
        autoApproval: { subscriptions: subscriptions("autoApproval") },
        fqdns: at(body, "properties", "fqdns") ?? [],
        enableProxyProtocol: at(body, "properties", "enableProxyProtocol") ?? false,
      }),
    };
  },
  checkDelete(service, subscription) {
    const [connection] = connectionsOf(service, subscription);
    if (!connection) return;
    throw badRequest(
      "PrivateLinkServiceWithPrivateEndpointConnectionsCannotBeDeleted",
      `Private link service ${service.id} cannot be deleted since it has private endpoint connections. Delete ${connection.id} first.`,
    );
  },
  render: (service, subscription) =>
    withProperties(service.body, {
      privateEndpointConnections: connectionsOf(service, subscription).map((each) =>
        renderResource(each, subscription),
      ),
    }),
};

/** Returns the pending and approved connections of a private link service. */
function connectionsOf(service: ResourceRecord, subscription: Subscription): readonly ResourceRecord[] {
  return subscription.resources.inCollection(`${service.id}/privateEndpointConnections`);
}

function checkSubnetPolicy(id: string, subnetId: string | undefined, subscription: Subscription): void {
  const subnet = subscription.resources.resolve(subnetId ?? "")?.element;
  if (subnet && at(subnet, "properties", "privateLinkServiceNetworkPolicies") !== "Disabled") {
    throw badRequest(
      "PrivateLinkServiceCannotBeCreatedInSubnetThatHasNetworkPoliciesEnabled",
      `Private link service ${id} cannot be created in a subnet ${lastSegment(subnetId ?? "")} since it has private link service network policies enabled.`,
    );
  }
}
