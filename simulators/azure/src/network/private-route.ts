import { groupIdOf, parentId, sameId } from "../arm/arm-path.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { Subscription } from "../arm/subscription.ts";
import { at, nonEmptyStringAt, objectsAt } from "../base/json.ts";
import { networkInterfacesOf, virtualMachineType } from "../compute/virtual-machines.ts";

/** TCP port of a machine. */
export interface MachinePort {
  readonly machine: ResourceRecord;
  readonly port: number;
}

/**
 * Returns the machine port that a connection to a private endpoint reaches. The connection passes the private link service, a
 * rule of the service's load balancer, and the rule's backend pool. Returns `undefined` if one of these elements is missing.
 */
export function routeToMachine(
  subscription: Subscription,
  address: string,
  port: number,
): MachinePort | undefined {
  const service = subscription.resources
    .ofType("Microsoft.Network/privateEndpoints")
    .filter((endpoint) => addressesOf(endpoint, subscription).includes(address))
    .flatMap((endpoint) =>
      ["privateLinkServiceConnections", "manualPrivateLinkServiceConnections"].flatMap((list) =>
        objectsAt(endpoint.body, "properties", list).map((each) =>
          nonEmptyStringAt(each, "properties", "privateLinkServiceId"),
        ),
      ),
    )
    .flatMap((id) => (id === undefined ? [] : (subscription.resources.find(id) ?? [])))[0];
  const frontend = nonEmptyStringAt(
    objectsAt(service?.body, "properties", "loadBalancerFrontendIpConfigurations")[0],
    "id",
  );
  const balancer = frontend === undefined ? undefined : subscription.resources.find(parentId(frontend));
  if (!balancer || frontend === undefined) return undefined;
  const rule = objectsAt(balancer.body, "properties", "loadBalancingRules").find(
    (each) =>
      at(each, "properties", "frontendPort") === port &&
      sameId(nonEmptyStringAt(each, "properties", "frontendIPConfiguration", "id") ?? "", frontend),
  );
  const pool = nonEmptyStringAt(rule, "properties", "backendAddressPool", "id");
  const machine = pool === undefined ? undefined : machineIn(pool, subscription);
  return machine && { machine, port: Number(at(rule, "properties", "backendPort")) };
}

function addressesOf(endpoint: ResourceRecord, subscription: Subscription): readonly string[] {
  return objectsAt(endpoint.body, "properties", "networkInterfaces")
    .flatMap(({ id }) => (typeof id === "string" ? (subscription.resources.find(id) ?? []) : []))
    .flatMap((nic) => objectsAt(nic.body, "properties", "ipConfigurations"))
    .flatMap((each) => nonEmptyStringAt(each, "properties", "privateIPAddress") ?? []);
}

/** Returns the first machine with a network interface in the backend pool. */
function machineIn(pool: string, subscription: Subscription): ResourceRecord | undefined {
  return subscription.resources
    .inGroup(groupIdOf(pool) ?? "")
    .filter(({ type }) => type === virtualMachineType)
    .find((machine) =>
      networkInterfacesOf(machine)
        .flatMap((id) => subscription.resources.find(id) ?? [])
        .flatMap((nic) => objectsAt(nic.body, "properties", "ipConfigurations"))
        .flatMap((each) => objectsAt(each, "properties", "loadBalancerBackendAddressPools"))
        .some((each) => sameId(nonEmptyStringAt(each, "id") ?? "", pool)),
    );
}
