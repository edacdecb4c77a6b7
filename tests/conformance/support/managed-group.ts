import assert from "node:assert/strict";
import type { Service } from "./service.ts";

/** Returns the stored document of a cluster through the admin API. */
export async function shown(service: Service, name: string) {
  const { status, body, text } = await service.admin.get(service.cluster(name, "admin"));
  assert.equal(status, 200, text);
  return body;
}

export async function infraIdOf(service: Service, name: string): Promise<string> {
  const { infraId } = (await shown(service, name)).properties;
  assert.match(infraId, new RegExp(`^${name}-[a-z0-9]{5}$`));
  return infraId;
}

const network = "providers/Microsoft.Network";

export function managedGroup(service: Service, name: string): string {
  return `/subscriptions/${service.subscriptionId}/resourceGroups/aro-${name}`;
}

export function ofNetwork(service: Service, name: string, path: string) {
  return service.azure("GET", `${managedGroup(service, name)}/${network}/${path}`, "2020-08-01");
}

/** Returns the type and name of each resource in the managed resource group. */
export async function managedResources(service: Service, name: string): Promise<readonly string[]> {
  const { value } = await service.azure("GET", `${managedGroup(service, name)}/resources`);
  return value.map(
    (each: { type: string; name: string }) => `${each.type.split("/").slice(1).join("/")}/${each.name}`,
  );
}

export async function publicIps(service: Service, name: string): Promise<readonly string[]> {
  return (await managedResources(service, name))
    .filter((each) => each.startsWith("publicIPAddresses/"))
    .map((each) => each.slice("publicIPAddresses/".length))
    .sort();
}

export async function outboundIps(service: Service, name: string): Promise<readonly string[]> {
  return (await publicIps(service, name)).filter((each) => each.endsWith("-outbound-pip-v4"));
}

export function updateOutboundIps(service: Service, name: string, count: number) {
  const loadBalancerProfile = { managedOutboundIps: { count } };
  return service.update(name, { properties: { networkProfile: { loadBalancerProfile } } });
}
