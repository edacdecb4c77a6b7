import { badRequest } from "../arm/arm-error.ts";
import { ok } from "../arm/exchange.ts";
import { normalizeLocation } from "../arm/locations.ts";
import type { ProviderView } from "../arm/provider.ts";
import type { Subscription } from "../arm/subscription.ts";
import { nonEmptyStringAt } from "../base/json.ts";

/** Services that support service endpoints. */
const endpointServices = [
  "AzureActiveDirectory",
  "AzureCosmosDB",
  "CognitiveServices",
  "ContainerRegistry",
  "EventHub",
  "KeyVault",
  "ServiceBus",
  "Sql",
  "Storage",
  "Storage.Global",
  "Web",
].map((name) => `Microsoft.${name}`);

/** Services to which subnets can be delegated. */
const delegations = [
  "Microsoft.ContainerInstance/containerGroups",
  "Microsoft.DBforPostgreSQL/flexibleServers",
  "Microsoft.Netapp/volumes",
  "Microsoft.Web/serverFarms",
];

/** Views of the services to which networks in a location can connect. */
export const networkServiceViews: Readonly<Record<string, ProviderView>> = {
  "locations/virtualNetworkAvailableEndpointServices": {
    method: "GET",
    run: (_names, _request, subscription) =>
      ok({
        value: endpointServices.map((name) => ({
          name,
          id: `${root(subscription)}/virtualNetworkEndpointServices/${name}`,
          type: "Microsoft.Network/virtualNetworkEndpointServices",
        })),
      }),
  },
  "locations/availableDelegations": {
    method: "GET",
    run: (_names, _request, subscription) =>
      ok({
        value: delegations.map((serviceName) => {
          const name = serviceName.replace("/", ".");
          return {
            name,
            id: `${root(subscription)}/availableDelegations/${name}`,
            type: "Microsoft.Network/availableDelegations",
            serviceName,
            actions: ["Microsoft.Network/virtualNetworks/subnets/action"],
          };
        }),
      }),
  },
  "locations/CheckDnsNameAvailability": {
    method: "GET",
    run([location = ""], request, subscription) {
      const label = request.query.get("domainNameLabel") ?? "";
      if (!/^[a-z][a-z0-9-]{1,61}[a-z0-9]$/.test(label)) {
        throw badRequest("InvalidDomainNameLabel", `The domain name label ${label} is invalid.`);
      }
      const taken = subscription.resources
        .ofType("Microsoft.Network/publicIPAddresses")
        .some(
          ({ body }) =>
            nonEmptyStringAt(body, "location") === normalizeLocation(location) &&
            nonEmptyStringAt(body, "properties", "dnsSettings", "domainNameLabel") === label,
        );
      return ok({ available: !taken });
    },
  },
};

const root = (subscription: Subscription) =>
  `/subscriptions/${subscription.subscriptionId}/providers/Microsoft.Network`;
