import type { JsonObject } from "@keelson/base";
import { badRequest } from "../arm/arm-error.ts";
import { keyOf, parentId } from "../arm/arm-path.ts";
import { type ArmResponse, ok } from "../arm/exchange.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { Subscription } from "../arm/subscription.ts";
import { at, nonEmptyStringAt, objectsAt } from "../base/json.ts";
import { powerStateOf } from "../compute/power/power-state.ts";

const virtualMachineType = "Microsoft.Compute/virtualMachines";

/**
 * Private address ranges. Azure drops traffic to an address in these ranges, unless the address belongs to the interface's
 * virtual network.
 */
const unreachable = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"];

/**
 * Returns the effective routes of a network interface. Routes in the subnet's route table override the default routes of the
 * network.
 */
export function effectiveRoutes(nic: ResourceRecord, subscription: Subscription): ArmResponse {
  requireRunning(nic, subscription, "EffectiveRouteTableNotAvailable");
  const [configuration] = objectsAt(nic.body, "properties", "ipConfigurations");
  const subnetId = nonEmptyStringAt(configuration, "properties", "subnet", "id") ?? "";
  const network = subscription.resources.find(keyOf(parentId(subnetId)));
  const own = network ? prefixesOf(network) : [];
  const defaults = [
    ...own.map((prefix) => route("Default", prefix, "VnetLocal")),
    route("Default", "0.0.0.0/0", "Internet"),
    ...unreachable
      .filter((prefix) => !own.includes(prefix))
      .map((prefix) => route("Default", prefix, "None")),
  ];
  const table = network && tableOf(network, subnetId);
  const tableRecord = table === undefined ? undefined : subscription.resources.find(keyOf(table));
  const chosen = objectsAt(tableRecord?.body, "properties", "routes").map(userRoute);
  const replaced = new Set(chosen.flatMap(({ addressPrefix }) => addressPrefix));
  const kept = defaults.map((each) =>
    each.addressPrefix.some((prefix) => replaced.has(prefix)) ? { ...each, state: "Invalid" } : each,
  );
  return ok({ value: [...kept, ...chosen] });
}

/**
 * Checks that a network interface belongs to a running machine. Effective routes and rules are available only for running
 * machines.
 * @throws ArmError 400
 */
export function requireRunning(nic: ResourceRecord, subscription: Subscription, code: string): void {
  const machine = subscription.resources
    .referrers(nic.id)
    .map(({ holder }) => subscription.resources.find(keyOf(holder)))
    .find((each) => each?.type === virtualMachineType);
  if (machine && powerStateOf(machine) === "running") return;
  throw badRequest(code, `Network interface ${nic.name} must be attached to a running virtual machine.`);
}

function prefixesOf(network: ResourceRecord): readonly string[] {
  const prefixes = at(network.body, "properties", "addressSpace", "addressPrefixes");
  return Array.isArray(prefixes) ? prefixes.filter((each) => typeof each === "string") : [];
}

function tableOf(network: ResourceRecord, subnetId: string): string | undefined {
  const subnet = objectsAt(network.body, "properties", "subnets").find(
    (each) => keyOf(nonEmptyStringAt(each, "id") ?? "") === keyOf(subnetId),
  );
  return nonEmptyStringAt(subnet, "properties", "routeTable", "id");
}

function userRoute(each: JsonObject) {
  const { properties } = each;
  const hop = nonEmptyStringAt(properties, "nextHopIpAddress");
  const prefix = nonEmptyStringAt(properties, "addressPrefix") ?? "";
  const made = route("User", prefix, nonEmptyStringAt(properties, "nextHopType") ?? "None", hop ? [hop] : []);
  return { name: nonEmptyStringAt(each, "name") ?? "", ...made };
}

function route(
  source: string,
  prefix: string,
  nextHopType: string,
  nextHopIpAddress: readonly string[] = [],
) {
  return { source, state: "Active", addressPrefix: [prefix], nextHopType, nextHopIpAddress };
}
