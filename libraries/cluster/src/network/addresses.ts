import { isIPv4 } from "node:net";
import { CloudError } from "@keelson/arm";
import { listAt, parseIpv4Range, stringAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import {
  azureNames,
  firstWorkerProfile,
  infraIdOf,
  managedGroupOf,
  parseSubnetId,
  withProperties,
} from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import { internalFrontend } from "../load-balancer/load-balancers.ts";
import { findPublicIp } from "../load-balancer/public-ips.ts";
import { setApiAddress, setRouterAddress } from "./dns.ts";
import { highestFreeAddress, prefixesOf } from "./subnet-ranges.ts";

/**
 * Publishes the API server's address in DNS before the machines exist, because machines resolve the API server's name while they
 * boot.
 */
export async function updateAPIIPEarly(context: ClusterContext): Promise<void> {
  const { cluster } = context;
  const names = azureNames(infraIdOf(cluster));
  const intIp = await internalAddress(context);
  const isPublic = cluster.properties.apiserverProfile.visibility === "Public";
  const ip = isPublic ? await publicAddress(context, names.apiPublicIp) : intIp;
  await setApiAddress(context, ip);
  await context.update((current) => {
    const { apiserverProfile } = current.properties;
    if (apiserverProfile.ip === ip && apiserverProfile.intIp === intIp) return current;
    return withProperties(current, { apiserverProfile: { ...apiserverProfile, ip, intIp } });
  });
}

/** Stores the internal API server address for clusters that were created before the document had this field. */
export async function populateDatabaseIntIP(context: ClusterContext): Promise<void> {
  if (context.cluster.properties.apiserverProfile.intIp) return;
  const intIp = await internalAddress(context);
  await context.update((current) =>
    withProperties(current, { apiserverProfile: { ...current.properties.apiserverProfile, intIp } }),
  );
}

async function internalAddress({ cluster, azure, signal }: ClusterContext): Promise<string> {
  const name = azureNames(infraIdOf(cluster)).internalLoadBalancer;
  const balancer = await azure.network.loadBalancers.get(managedGroupOf(cluster), name, azure.call(signal));
  const frontends = balancer.frontendIPConfigurations ?? [];
  // The internal frontend is selected by name, because the load balancer also has frontends for the cluster's services.
  const own = frontends.find((each) => each.name === internalFrontend) ?? frontends[0];
  const address = own?.privateIPAddress;
  if (!address) throw new Error(`the load balancer ${name} has no private address`);
  return address;
}

/** Publishes the router's address in DNS before the router runs. */
export async function createOrUpdateRouterIPEarly(context: ClusterContext): Promise<void> {
  const { cluster } = context;
  const [ingress] = cluster.properties.ingressProfiles;
  const ip =
    ingress?.visibility === "Public"
      ? await publicAddress(context, azureNames(infraIdOf(cluster)).ingressPublicIp)
      : (ingress?.ip ?? (await freeAddress(context)));
  await storeRouterAddress(context, ip);
}

/**
 * Stores and publishes the router address that the cluster reports. The address must belong to one of the cluster's load
 * balancers. If the reported address does not, the stored address is published again.
 */
export async function createOrUpdateRouterIPFromCluster(context: ClusterContext): Promise<void> {
  const key = { namespace: "openshift-ingress", name: "router-default" };
  const service = await context.kube().find(resources.services, key, context.signal);
  const stated = stringAt(listAt(service, "status", "loadBalancer", "ingress")[0], "ip");
  const stored = context.cluster.properties.ingressProfiles[0]?.ip;
  const isKnown = stated !== undefined && isIPv4(stated) && (await hasLoadBalancerAddress(context, stated));
  if (stated !== undefined && !isKnown && stated !== stored)
    context.logger.warn({ stated, stored }, "the router states an address that no load balancer has");
  const ip = isKnown ? stated : stored;
  if (ip === undefined) throw new Error("the router has no address");
  await storeRouterAddress(context, ip);
}

/** True if the address belongs to a load balancer or a public IP address of the cluster. */
async function hasLoadBalancerAddress(
  { cluster, azure, signal }: ClusterContext,
  address: string,
): Promise<boolean> {
  const group = managedGroupOf(cluster);
  for await (const { ipAddress } of azure.network.publicIPAddresses.list(group, azure.call(signal)))
    if (ipAddress === address) return true;
  for await (const { frontendIPConfigurations = [] } of azure.network.loadBalancers.list(
    group,
    azure.call(signal),
  ))
    if (frontendIPConfigurations.some(({ privateIPAddress }) => privateIPAddress === address)) return true;
  return false;
}

async function storeRouterAddress(context: ClusterContext, ip: string): Promise<void> {
  await setRouterAddress(context, ip);
  await context.update((current) => {
    const [first, ...others] = current.properties.ingressProfiles;
    if (!first || first.ip === ip) return current;
    return withProperties(current, { ingressProfiles: [{ ...first, ip }, ...others] });
  });
}

async function publicAddress(context: ClusterContext, name: string): Promise<string> {
  const address = (await findPublicIp(context, name))?.ipAddress;
  if (!address) throw new Error(`the public IP address ${name} has no address`);
  return address;
}

/**
 * Returns the highest free address of the subnet. Azure cannot reserve a private address. Azure assigns the lowest free address
 * first, so the highest address stays free longest.
 */
async function freeAddress({ cluster, azure, signal }: ClusterContext): Promise<string> {
  const { subnetId } = firstWorkerProfile(cluster);
  const { resourceGroup, virtualNetwork, name } = parseSubnetId(subnetId);
  const subnet = await azure.network.subnets.get(resourceGroup, virtualNetwork, name, {
    ...azure.call(signal),
    expand: "ipConfigurations",
  });
  const taken = subnet.ipConfigurations?.flatMap(({ privateIPAddress }) => privateIPAddress ?? []) ?? [];
  const range = parseIpv4Range(prefixesOf(subnet)[0] ?? "");
  const address = range && highestFreeAddress(range, new Set(taken));
  if (!address) {
    throw new CloudError("InvalidLinkedVNet", `The subnet '${subnetId}' has no remaining IP addresses.`);
  }
  return address;
}
