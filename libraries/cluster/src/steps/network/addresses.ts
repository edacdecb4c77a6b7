import { isIPv4 } from "node:net";
import { CloudError } from "@keelson/arm";
import { listAt, resources, textAt } from "@keelson/kube";
import {
  azureNames,
  firstWorkerProfile,
  infraIdOf,
  managedGroupOf,
  parseSubnetId,
  withProperties,
} from "@keelson/model";
import type { ClusterContext } from "../../context.ts";
import { internalFrontend } from "../load-balancer/load-balancers.ts";
import { findPublicIp } from "../load-balancer/public-ips.ts";
import { prefixesOf } from "../validation/linked-network.ts";
import { highestFreeAddress, parseCidr } from "./cidr.ts";
import { setApiAddress, setRouterAddress } from "./dns.ts";

/** Publishes the API server's address before there is an API server: the machines look it up while they boot. */
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

/** Fills in the internal address of clusters that were made before it was stored. */
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
  // Services of the cluster have frontends here too.
  const own = frontends.find((each) => each.name === internalFrontend) ?? frontends[0];
  const address = own?.privateIPAddress;
  if (!address) throw new Error(`the load balancer ${name} has no private address`);
  return address;
}

/** Likewise for the router of the cluster's applications. */
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
 * Follows the address that the router has got in the cluster; where it has none of its own, the stored one stays.
 * Either way the name in the service's zone is repaired.
 */
export async function createOrUpdateRouterIPFromCluster(context: ClusterContext): Promise<void> {
  const key = { namespace: "openshift-ingress", name: "router-default" };
  const service = await context.kube().find(resources.services, key, context.signal);
  const live = textAt(listAt(service, "status", "loadBalancer", "ingress")[0], "ip");
  const ip = live && isIPv4(live) ? live : context.cluster.properties.ingressProfiles[0]?.ip;
  if (ip === undefined) throw new Error("the router has no address");
  await storeRouterAddress(context, ip);
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

/** Private addresses cannot be reserved in Azure: the highest free one is the last that anyone else gets. */
async function freeAddress({ cluster, azure, signal }: ClusterContext): Promise<string> {
  const { subnetId } = firstWorkerProfile(cluster);
  const { resourceGroup, virtualNetwork, name } = parseSubnetId(subnetId);
  const subnet = await azure.network.subnets.get(resourceGroup, virtualNetwork, name, {
    ...azure.call(signal),
    expand: "ipConfigurations",
  });
  const taken = subnet.ipConfigurations?.flatMap(({ privateIPAddress }) => privateIPAddress ?? []) ?? [];
  const range = parseCidr(prefixesOf(subnet)[0] ?? "");
  const address = range && highestFreeAddress(range, new Set(taken));
  if (!address) {
    throw new CloudError("InvalidLinkedVNet", `The subnet '${subnetId}' has no remaining IP addresses.`);
  }
  return address;
}
