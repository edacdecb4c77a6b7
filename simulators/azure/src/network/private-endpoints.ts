import type { JsonObject } from "@keelson/base";
import { badRequest } from "../arm/arm-error.ts";
import { groupIdOf, lastSegment, parentId, sameId } from "../arm/arm-path.ts";
import { newRecord } from "../arm/new-record.ts";
import { removeResource } from "../arm/removal.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { Draft, ElementType, ResourceType } from "../arm/resource-type.ts";
import type { Subscription } from "../arm/subscription.ts";
import { at, nonEmptyStringAt, objectsAt, withProperties } from "../base/json.ts";
import { resourceName } from "./names.ts";
import { withPrivateAddresses } from "./private-addresses.ts";
import { connectionId, connectionState, ensureConnection } from "./private-endpoint-connections.ts";

const interfaceType = "Microsoft.Network/networkInterfaces";
const serviceType = "Microsoft.Network/privateLinkServices";
const lists = ["privateLinkServiceConnections", "manualPrivateLinkServiceConnections"] as const;

/** Public DNS domains of services, by the endpoint's group ID. */
const domains: Readonly<Record<string, string>> = {
  blob: "blob.core.windows.net",
  web: "z13.web.core.windows.net",
  vault: "vault.azure.net",
  registry: "azurecr.io",
};

const connectionList: ElementType = {
  readOnly: ["privateLinkServiceConnectionState"],
  render(connection, subscription) {
    const endpoint = subscription.resources.find(parentId(nonEmptyStringAt(connection, "id") ?? ""));
    const target = nonEmptyStringAt(connection, "properties", "privateLinkServiceId") ?? "";
    const state = isService(target)
      ? connectionState(subscription, target, connectionNameOf(endpoint?.name ?? "", endpoint?.hidden))
      : { status: "Approved", description: "Auto-Approved", actionsRequired: "None" };
    return withProperties(connection, { privateLinkServiceConnectionState: state });
  },
};

/**
 * Private endpoints. Each endpoint is an address in a subnet through which clients reach a private link service, a storage
 * account or a vault.
 */
export const privateEndpoints: ResourceType = {
  namespace: "Microsoft.Network",
  type: "privateEndpoints",
  etag: "weak",
  names: resourceName,
  readOnly: ["networkInterfaces", "customDnsConfigs", "resourceGuid"],
  elements: Object.fromEntries(lists.map((list) => [list, connectionList])),
  references: [
    // This reference does not prevent the deletion of the subnet. The reference from the endpoint's network interface prevents
    // it.
    { path: ["subnet"], soft: true },
    { path: ["networkInterfaces"] },
    ...lists.map((within) => ({ within, path: [], member: "privateLinkServiceId", soft: true })),
  ],
  prepare(draft, subscription) {
    const { body, existing } = draft;
    const subnetId = nonEmptyStringAt(body, "properties", "subnet", "id");
    const connections = lists.flatMap((list) => objectsAt(body, "properties", list));
    if (subnetId === undefined || connections.length === 0) {
      throw badRequest(
        "InvalidRequestFormat",
        `Private endpoint ${draft.name} needs a 'subnet' and a connection to a service.`,
      );
    }
    const before = nonEmptyStringAt(existing?.body, "properties", "subnet", "id");
    if (before !== undefined && !sameId(before, subnetId)) {
      throw badRequest(
        "PrivateEndpointSubnetCannotBeChanged",
        `The subnet of private endpoint ${draft.id} cannot be changed.`,
      );
    }
    const hidden = {
      guid: nonEmptyStringAt(existing?.hidden, "guid") ?? subscription.newIds.next(draft.id, "guid"),
    };
    const networkInterface = ensureInterface(draft, hidden.guid, subnetId, subscription);
    for (const list of lists) {
      for (const each of objectsAt(body, "properties", list))
        connect(draft, each, list, hidden, subscription);
    }
    return {
      body: withProperties(body, {
        ...Object.fromEntries(lists.map((list) => [list, objectsAt(body, "properties", list)])),
        networkInterfaces: [{ id: networkInterface.id }],
        customDnsConfigs: publicNames(connections, networkInterface),
      }),
      hidden,
    };
  },
  removed(endpoint, subscription) {
    const ids = [
      ...objectsAt(endpoint.body, "properties", "networkInterfaces").map((each) =>
        nonEmptyStringAt(each, "id"),
      ),
      ...lists
        .flatMap((list) => objectsAt(endpoint.body, "properties", list))
        .map((each) => nonEmptyStringAt(each, "properties", "privateLinkServiceId") ?? "")
        .map((service) => connectionId(service, connectionNameOf(endpoint.name, endpoint.hidden))),
    ];
    for (const id of ids) {
      const record = id === undefined ? undefined : subscription.resources.find(id);
      if (record) removeResource(subscription, record);
    }
  },
};

function connect(
  { id, name, body }: Draft,
  connection: JsonObject,
  list: (typeof lists)[number],
  hidden: JsonObject,
  subscription: Subscription,
): void {
  const service = subscription.resources.find(
    nonEmptyStringAt(connection, "properties", "privateLinkServiceId") ?? "",
  );
  if (service?.type !== serviceType) return;
  ensureConnection(
    subscription,
    service,
    {
      id,
      location: nonEmptyStringAt(body, "location") ?? "",
      connectionName: connectionNameOf(name, hidden),
    },
    {
      isManual: list === "manualPrivateLinkServiceConnections",
      message: nonEmptyStringAt(connection, "properties", "requestMessage") ?? "",
    },
  );
}

/** Creates the network interface of a private endpoint and assigns an address to the interface. */
function ensureInterface(
  draft: Draft,
  guid: string,
  subnetId: string,
  subscription: Subscription,
): ResourceRecord {
  const [known] = objectsAt(draft.existing?.body, "properties", "networkInterfaces");
  const present = subscription.resources.find(nonEmptyStringAt(known, "id") ?? "");
  if (present) return present;
  const name =
    nonEmptyStringAt(draft.body, "properties", "customNetworkInterfaceName") ?? `${draft.name}.nic.${guid}`;
  const id = `${groupIdOf(draft.id) ?? ""}/providers/${interfaceType}/${name}`;
  const [wanted] = objectsAt(draft.body, "properties", "ipConfigurations");
  const address = nonEmptyStringAt(wanted, "properties", "privateIPAddress");
  const configurationName = nonEmptyStringAt(wanted, "name") ?? `privateEndpointIpConfig.${guid}`;
  const configuration = {
    id: `${id}/ipConfigurations/${configurationName}`,
    name: configurationName,
    type: `${interfaceType}/ipConfigurations`,
    properties: {
      subnet: { id: subnetId },
      primary: true,
      provisioningState: "Succeeded",
      ...(address === undefined ? {} : { privateIPAddress: address, privateIPAllocationMethod: "Static" }),
    },
  };
  const properties = {
    ipConfigurations: withPrivateAddresses([configuration], [], id, subscription),
    dnsSettings: { dnsServers: [], appliedDnsServers: [] },
    enableAcceleratedNetworking: false,
    enableIPForwarding: false,
    provisioningState: "Succeeded",
  };
  const body = { location: nonEmptyStringAt(draft.body, "location") ?? "", properties };
  const record = newRecord(subscription, { id, type: interfaceType, body });
  subscription.resources.put(record);
  return record;
}

function publicNames(connections: readonly JsonObject[], networkInterface: ResourceRecord): JsonObject[] {
  const addresses = objectsAt(networkInterface.body, "properties", "ipConfigurations").flatMap(
    (each) => nonEmptyStringAt(each, "properties", "privateIPAddress") ?? [],
  );
  return connections.flatMap((each) => {
    const groups = at(each, "properties", "groupIds");
    const name = lastSegment(nonEmptyStringAt(each, "properties", "privateLinkServiceId") ?? "");
    const domain = Array.isArray(groups) ? domains[String(groups[0])] : undefined;
    return domain === undefined ? [] : [{ fqdn: `${name}.${domain}`, ipAddresses: addresses }];
  });
}

function connectionNameOf(endpointName: string, hidden: JsonObject | undefined): string {
  return `${endpointName}.${nonEmptyStringAt(hidden, "guid") ?? ""}`;
}

function isService(id: string): boolean {
  return /\/providers\/microsoft\.network\/privatelinkservices\/[^/]+$/i.test(id);
}
