import { createHash } from "node:crypto";
import { badRequest } from "../arm/arm-error.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import { referrerIds } from "../arm/resources.ts";
import { at, nonEmptyStringAt, objectsAt, withProperties } from "../base/json.ts";
import { effectiveRoutes } from "./effective-routes.ts";
import { effectiveSecurityGroups } from "./effective-security-groups.ts";
import { resourceName } from "./names.ts";
import { withPrivateAddresses } from "./private-addresses.ts";

export const networkInterfaces: ResourceType = {
  namespace: "Microsoft.Network",
  type: "networkInterfaces",
  etag: "weak",
  names: resourceName,
  readOnly: ["virtualMachine", "privateEndpoint", "macAddress", "primary", "resourceGuid"],
  elements: { ipConfigurations: {} },
  references: [
    { within: "ipConfigurations", path: ["subnet"] },
    { within: "ipConfigurations", path: ["publicIPAddress"] },
    { within: "ipConfigurations", path: ["applicationSecurityGroups"] },
    { within: "ipConfigurations", path: ["loadBalancerBackendAddressPools"], soft: true },
    { path: ["networkSecurityGroup"] },
  ],
  actions: {
    effectiveRouteTable: {
      method: "POST",
      run: (record, _request, subscription) => effectiveRoutes(record, subscription),
    },
    effectiveNetworkSecurityGroups: {
      method: "POST",
      run: (record, _request, subscription) => effectiveSecurityGroups(record, subscription),
    },
  },
  inUse: (record, by) =>
    badRequest(
      "NicInUse",
      `Network Interface ${record.id} is used by existing resource ${referrerIds(by)}. In order to delete the network interface, it must be dissociated from the resource.`,
    ),
  prepare({ id, body, existing }, subscription) {
    const configurations = objectsAt(body, "properties", "ipConfigurations");
    if (
      configurations.length === 0 ||
      configurations.some((each) => !nonEmptyStringAt(each, "properties", "subnet", "id"))
    ) {
      throw badRequest(
        "NetworkInterfaceMustHaveSubnet",
        `Network interface ${id} needs at least one IP configuration, and each of them a subnet.`,
      );
    }
    const before = objectsAt(existing?.body, "properties", "ipConfigurations");
    const primary = configurations.findIndex((each) => at(each, "properties", "primary") === true);
    return {
      body: withProperties(body, {
        ipConfigurations: withPrivateAddresses(configurations, before, id, subscription).map((each, index) =>
          withProperties(each, { primary: index === Math.max(0, primary) }),
        ),
        dnsSettings: at(body, "properties", "dnsSettings") ?? { dnsServers: [], appliedDnsServers: [] },
        enableAcceleratedNetworking: at(body, "properties", "enableAcceleratedNetworking") ?? false,
        enableIPForwarding: at(body, "properties", "enableIPForwarding") ?? false,
        macAddress: macAddress(id),
      }),
    };
  },
  render(record, subscription) {
    const users = subscription.resources.referrers(record.id).map(({ holder }) => holder);
    const machine = users.find((each) => /\/virtualMachines\//i.test(each));
    const endpoint = users.find((each) => /\/privateEndpoints\//i.test(each));
    if (machine) return withProperties(record.body, { virtualMachine: { id: machine }, primary: true });
    return endpoint ? withProperties(record.body, { privateEndpoint: { id: endpoint } }) : record.body;
  },
};

/** Returns a MAC address: Microsoft's prefix and three octets derived from the ID. */
function macAddress(id: string): string {
  const tail = createHash("sha256").update(id.toLowerCase()).digest("hex").slice(0, 6).toUpperCase();
  return `00-0D-3A-${tail.match(/../g)?.join("-")}`;
}
