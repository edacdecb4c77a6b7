import type { JsonObject } from "@keelson/base";
import { ArmError, badRequest } from "../arm/arm-error.ts";
import { lastSegment, parentId, sameId } from "../arm/arm-path.ts";
import type { Draft, ResourceType } from "../arm/resource-type.ts";
import { referrerIds } from "../arm/resources.ts";
import type { Subscription } from "../arm/subscription.ts";
import { at, members, nonEmptyStringAt, objectsAt, without, withProperties } from "../base/json.ts";
import { addressAvailability, subnetUsages } from "./address-availability.ts";
import { type AddressRange, contains, overlap, parsePrefix } from "./cidr.ts";
import { resourceName } from "./names.ts";
import { networkServiceViews } from "./network-service-views.ts";
import { prefixOf } from "./private-addresses.ts";

export const virtualNetworks: ResourceType = {
  namespace: "Microsoft.Network",
  type: "virtualNetworks",
  etag: "weak",
  etagHeader: false,
  order: {
    top: ["name", "id", "etag", "type", "location", "tags", "properties"],
    properties: [
      ...["provisioningState", "resourceGuid", "addressSpace", "privateEndpointVNetPolicies", "subnets"],
      ...["virtualNetworkPeerings", "enableDdosProtection"],
    ],
  },
  names: resourceName,
  creatingState: "Updating",
  duration: {
    create: ({ timings }) => timings.virtualNetworkWriteMs,
    update: ({ timings }) => timings.virtualNetworkWriteMs,
  },
  readOnly: ["resourceGuid"],
  elements: {
    subnets: {
      order: {
        top: ["name", "id", "etag", "properties", "type"],
        properties: [
          ...["provisioningState", "addressPrefix", "serviceEndpoints", "delegations"],
          ...["privateEndpointNetworkPolicies", "privateLinkServiceNetworkPolicies", "defaultOutboundAccess"],
        ],
      },
      duration: ({ timings }) => timings.subnetWriteMs,
      readOnly: ["ipConfigurations", "privateEndpoints", "purpose"],
      inUse: (id, by) =>
        badRequest(
          "InUseSubnetCannotBeDeleted",
          `Subnet ${lastSegment(id)} is in use by ${referrerIds(by)} and cannot be deleted. In order to delete the subnet, delete all the resources within the subnet.`,
        ),
      render: (subnet, subscription) => {
        const users = subscription.resources
          .referrers(nonEmptyStringAt(subnet, "id") ?? "")
          .map(({ from }) => from);
        const ids = (kind: RegExp) => users.filter((each) => kind.test(each)).map((id) => ({ id }));
        const lists = {
          ipConfigurations: ids(/\/(frontendIPConfigurations|ipConfigurations)\//i),
          privateEndpoints: ids(/\/privateEndpoints\//i),
        };
        return withProperties(
          subnet,
          Object.fromEntries(Object.entries(lists).filter(([, each]) => each.length > 0)),
        );
      },
    },
    virtualNetworkPeerings: { readOnly: ["peeringState", "peeringSyncLevel"], render: withPeeringState },
  },
  actions: {
    checkIPAddressAvailability: { method: "GET", run: addressAvailability },
    usages: { method: "GET", run: subnetUsages },
  },
  views: networkServiceViews,
  references: [
    { within: "subnets", path: ["networkSecurityGroup"] },
    { within: "subnets", path: ["routeTable"] },
    { within: "subnets", path: ["natGateway"] },
    { within: "virtualNetworkPeerings", path: ["remoteVirtualNetwork"], soft: true },
  ],
  prepare(draft, subscription) {
    // Since 2024, Azure keeps the existing subnets if the body has no `subnets`. An empty list removes the subnets.
    const unnamed = members(draft.body.properties).subnets === undefined;
    const subnets = objectsAt(unnamed ? draft.existing?.body : draft.body, "properties", "subnets");
    const spaces = addressSpace(draft);
    checkSubnets(draft, spaces, subnets);
    for (const subnet of subnets)
      checkPrefixInUse(draft, subnet, (id) => subscription.resources.referrers(id).length > 0);
    return {
      body: withProperties(draft.body, {
        resourceGuid:
          nonEmptyStringAt(draft.existing?.body, "properties", "resourceGuid") ??
          subscription.newIds.next(draft.id, "resourceGuid"),
        enableDdosProtection: at(draft.body, "properties", "enableDdosProtection") ?? false,
        virtualNetworkPeerings:
          at(draft.body, "properties", "virtualNetworkPeerings") ??
          at(draft.existing?.body, "properties", "virtualNetworkPeerings") ??
          [],
        subnets: subnets.map((each) => withSubnetDefaults(each, draft)),
      }),
    };
  },
  render({ body }, _subscription, request) {
    const version = request?.query.get("api-version") ?? latestVersion;
    const properties = members(body.properties);
    const isUnprotected = version >= "2025-07-01" && properties.enableVmProtection === false;
    return withProperties(
      { ...body, properties: without(properties, isUnprotected ? ["enableVmProtection"] : []) },
      version >= policiesSince
        ? { privateEndpointVNetPolicies: properties.privateEndpointVNetPolicies ?? "Disabled" }
        : {},
    );
  },
};

const latestVersion = "9999";
/** First API version with `privateEndpointVNetPolicies`. */
const policiesSince = "2024-01-01";
/** First API version in which new subnets are private by default. */
const privateSubnetsSince = "2025-07-01";

/** Returns a peering with its state. The state is connected if the remote network has a peering in the opposite direction. */
function withPeeringState(peering: JsonObject, subscription: Subscription): JsonObject {
  const remote = subscription.resources.find(
    nonEmptyStringAt(peering, "properties", "remoteVirtualNetwork", "id") ?? "",
  );
  const own = parentId(nonEmptyStringAt(peering, "id") ?? "");
  const leadsBack = objectsAt(remote?.body, "properties", "virtualNetworkPeerings").some((each) =>
    sameId(nonEmptyStringAt(each, "properties", "remoteVirtualNetwork", "id") ?? "", own),
  );
  const peeringState = leadsBack ? "Connected" : remote ? "Initiated" : "Disconnected";
  return withProperties(peering, { peeringState });
}

function withSubnetDefaults(
  subnet: JsonObject,
  { existing, apiVersion = "" }: Pick<Draft, "existing" | "apiVersion">,
): JsonObject {
  const properties = members(subnet.properties);
  const before = objectsAt(existing?.body, "properties", "subnets").find((each) =>
    sameId(nonEmptyStringAt(each, "id") ?? "", nonEmptyStringAt(subnet, "id") ?? ""),
  );
  const outbound =
    properties.defaultOutboundAccess ??
    at(before, "properties", "defaultOutboundAccess") ??
    (before === undefined && apiVersion >= privateSubnetsSince ? false : undefined);
  const endpoints = objectsAt(subnet, "properties", "serviceEndpoints").map((each) => ({
    provisioningState: "Succeeded",
    service: each.service ?? "",
    locations: each.locations ?? ["*"],
    ...without(each, ["provisioningState", "service", "locations"]),
  }));
  return withProperties(subnet, {
    ...(properties.serviceEndpoints === undefined ? {} : { serviceEndpoints: endpoints }),
    delegations: properties.delegations ?? [],
    privateEndpointNetworkPolicies: properties.privateEndpointNetworkPolicies ?? "Disabled",
    privateLinkServiceNetworkPolicies: properties.privateLinkServiceNetworkPolicies ?? "Enabled",
    ...(outbound === undefined ? {} : { defaultOutboundAccess: outbound }),
  });
}

function addressSpace(draft: Draft): readonly AddressRange[] {
  const prefixes = at(draft.body, "properties", "addressSpace", "addressPrefixes");
  if (!Array.isArray(prefixes) || prefixes.length === 0) {
    throw badRequest(
      "InvalidRequestFormat",
      "Cannot parse the request: 'properties.addressSpace.addressPrefixes' needs at least one prefix.",
    );
  }
  return prefixes.map((prefix) => requirePrefix(typeof prefix === "string" ? prefix : "", draft.id));
}

function checkSubnets(draft: Draft, spaces: readonly AddressRange[], subnets: readonly JsonObject[]): void {
  const seen: { readonly name: string; readonly range: AddressRange }[] = [];
  for (const subnet of subnets) {
    const name = nonEmptyStringAt(subnet, "name") ?? "";
    const range = requirePrefix(prefixOf(subnet), nonEmptyStringAt(subnet, "id") ?? "");
    if (range.last - range.first < 7 || !spaces.some((space) => contains(space, range))) {
      throw badRequest(
        "NetcfgInvalidSubnet",
        `Subnet '${name}' is not valid in virtual network '${draft.name}'.`,
      );
    }
    const other = seen.find((each) => overlap(each.range, range));
    if (other) {
      throw badRequest(
        "NetcfgSubnetRangesOverlap",
        `Subnet '${name}' is not valid because its IP address range overlaps with that of an existing subnet '${other.name}' in virtual network '${draft.name}'.`,
      );
    }
    seen.push({ name, range });
  }
}

function checkPrefixInUse(draft: Draft, subnet: JsonObject, inUse: (id: string) => boolean): void {
  const name = nonEmptyStringAt(subnet, "name");
  const before = objectsAt(draft.existing?.body, "properties", "subnets").find(
    (each) => nonEmptyStringAt(each, "name") === name,
  );
  if (before && prefixOf(before) !== prefixOf(subnet) && inUse(nonEmptyStringAt(before, "id") ?? "")) {
    throw new ArmError(
      400,
      "InUsePrefixCannotBeDeleted",
      `IpPrefix ${prefixOf(before)} on Subnet ${name} has active allocations and cannot be deleted.`,
    );
  }
}

function requirePrefix(text: string, id: string): AddressRange {
  const range = parsePrefix(text);
  if (range) return range;
  throw badRequest(
    "InvalidAddressPrefixFormat",
    `Address prefix ${text || "(none)"} of resource ${id} is not formatted correctly. It should follow CIDR notation, for example 10.0.0.0/24.`,
  );
}
