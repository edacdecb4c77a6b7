import type { JsonObject } from "@keelson/base";
import { badRequest } from "../arm/arm-error.ts";
import { lastSegment, parentId, sameId } from "../arm/arm-path.ts";
import { ok } from "../arm/exchange.ts";
import type { ElementType, ResourceType } from "../arm/resource-type.ts";
import type { Subscription } from "../arm/subscription.ts";
import { nonEmptyStringAt, objectsAt, withProperties } from "../base/json.ts";
import { ruleHealth } from "../scale-sets/rule-health.ts";
import { resourceName } from "./names.ts";
import { withPrivateAddresses } from "./private-addresses.ts";

const rules = { readOnly: [] } satisfies ElementType;

/**
 * Returns the properties with the IDs of the rules that refer to an element of the load balancer, for example to a backend pool.
 */
function ruleLinks(element: JsonObject, subscription: Subscription): JsonObject {
  const own = subscription.resources.referrers(nonEmptyStringAt(element, "id") ?? "");
  const links = ["loadBalancingRules", "outboundRules", "inboundNatRules"].flatMap((kind) => {
    const ids = own.filter(({ from }) => from.includes(`/${kind}/`)).map(({ from }) => ({ id: from }));
    return ids.length > 0 ? [[kind, ids]] : [];
  });
  return Object.fromEntries(links);
}

export const loadBalancers: ResourceType = {
  namespace: "Microsoft.Network",
  type: "loadBalancers",
  etag: "weak",
  names: resourceName,
  readOnly: ["resourceGuid"],
  elements: {
    frontendIPConfigurations: {
      readOnly: [
        "loadBalancingRules",
        "outboundRules",
        "inboundNatRules",
        "inboundNatPools",
        "privateLinkService",
      ],
      inUse: (id, by) =>
        badRequest(
          "CannotDeleteLoadBalancerWithPrivateLinkService",
          `Cannot delete load balancer ${parentId(id)} since its frontend IP configuration ${lastSegment(id)} is used by the private link service ${by[0]?.holder}.`,
        ),
      render(each, subscription) {
        const service = subscription.resources
          .referrers(nonEmptyStringAt(each, "id") ?? "")
          .find(({ from }) => /\/privateLinkServices\//i.test(from));
        const link = service ? { privateLinkService: { id: service.holder } } : {};
        return withProperties(each, { ...ruleLinks(each, subscription), ...link });
      },
    },
    backendAddressPools: {
      readOnly: ["backendIPConfigurations", "loadBalancingRules", "outboundRules"],
      inUse: (id, by) =>
        badRequest(
          "InUseBackendAddressPoolCannotBeDeleted",
          `Backend address pool ${id} is in use by ${by[0]?.from}.`,
        ),
      render: (each, subscription) => {
        const nics = subscription.resources
          .referrers(nonEmptyStringAt(each, "id") ?? "")
          .filter(({ from }) => from.includes("/ipConfigurations/"))
          .map(({ from }) => ({ id: from }));
        const backend = nics.length > 0 ? { backendIPConfigurations: nics } : {};
        return withProperties(each, { ...ruleLinks(each, subscription), ...backend });
      },
    },
    probes: {
      readOnly: ["loadBalancingRules"],
      render: (each, subscription) => withProperties(each, ruleLinks(each, subscription)),
    },
    loadBalancingRules: {
      ...rules,
      actions: {
        health: {
          method: "POST",
          run: (rule, _request, subscription) => ok(ruleHealth(rule, subscription)),
        },
      },
    },
    outboundRules: rules,
    inboundNatRules: rules,
  },
  references: [
    { within: "frontendIPConfigurations", path: ["publicIPAddress"] },
    { within: "frontendIPConfigurations", path: ["subnet"] },
    { within: "loadBalancingRules", path: ["frontendIPConfiguration"] },
    { within: "loadBalancingRules", path: ["backendAddressPool"] },
    { within: "loadBalancingRules", path: ["backendAddressPools"] },
    { within: "loadBalancingRules", path: ["probe"] },
    { within: "outboundRules", path: ["frontendIPConfigurations"] },
    { within: "outboundRules", path: ["backendAddressPool"] },
    { within: "inboundNatRules", path: ["frontendIPConfiguration"] },
  ],
  prepare({ id, body, existing }, subscription) {
    const frontends = objectsAt(body, "properties", "frontendIPConfigurations");
    for (const frontend of frontends) checkFrontend(frontend);
    const before = objectsAt(existing?.body, "properties", "frontendIPConfigurations");
    const lists = ["backendAddressPools", "probes", "loadBalancingRules", "outboundRules", "inboundNatRules"];
    return {
      body: {
        ...withProperties(body, {
          frontendIPConfigurations: withPrivateAddresses(frontends, before, id, subscription),
          ...Object.fromEntries(lists.map((name) => [name, objectsAt(body, "properties", name)])),
        }),
        sku: {
          name: nonEmptyStringAt(body, "sku", "name") ?? "Standard",
          tier: nonEmptyStringAt(body, "sku", "tier") ?? "Regional",
        },
      },
    };
  },
  removed(record, subscription) {
    for (const pool of objectsAt(record.body, "properties", "backendAddressPools")) {
      leavePool(nonEmptyStringAt(pool, "id") ?? "", subscription);
    }
  },
};

function checkFrontend(frontend: JsonObject): void {
  const isPublic = nonEmptyStringAt(frontend, "properties", "publicIPAddress", "id") !== undefined;
  const isInternal = nonEmptyStringAt(frontend, "properties", "subnet", "id") !== undefined;
  if (isPublic !== isInternal) return;
  throw badRequest(
    "LoadBalancerFrontendIPConfigurationMustReferenceSubnetOrPublicIPAddress",
    `Frontend IP configuration ${nonEmptyStringAt(frontend, "id")} must reference either a subnet or a public IP address.`,
  );
}

/** Removes a deleted load balancer's backend pool from network interfaces. */
function leavePool(poolId: string, subscription: Subscription): void {
  for (const { holder } of subscription.resources.referrers(poolId)) {
    const nic = subscription.resources.find(holder);
    if (!nic) continue;
    const ipConfigurations = objectsAt(nic.body, "properties", "ipConfigurations").map((each) =>
      withProperties(each, {
        loadBalancerBackendAddressPools: objectsAt(
          each,
          "properties",
          "loadBalancerBackendAddressPools",
        ).filter((pool) => !sameId(nonEmptyStringAt(pool, "id") ?? "", poolId)),
      }),
    );
    subscription.resources.put({ ...nic, body: withProperties(nic.body, { ipConfigurations }) });
  }
}
