import type { WorldClient } from "../e2e/support/world-client.ts";

/** Returns the lower-case IDs of all resources of the simulated Azure in the service's subscription. */
export async function azureContents(world: WorldClient): Promise<readonly string[]> {
  const subscription = `/subscriptions/${world.endpoints.subscriptionId}`;
  const ids = async (path: string, version = "2021-04-01"): Promise<readonly string[]> =>
    (await world.azure("GET", path, version)).value.map(({ id }: { id: string }) => id.toLowerCase());
  const [groups, resources, roles] = await Promise.all([
    ids(`${subscription}/resourcegroups`),
    ids(`${subscription}/resources`),
    ids(`${subscription}/providers/Microsoft.Authorization/roleAssignments`, "2018-09-01-preview"),
  ]);
  const zones = resources.filter((id) => /\/dnszones\/[^/]+$/.test(id));
  const records = await Promise.all(zones.map((zone) => ids(`${zone}/recordsets`, "2018-05-01")));
  return [...groups, ...resources, ...roles, ...records.flat()].toSorted();
}

/** Cluster that still exists, by name and document ID. The names of some Azure resources contain the document ID. */
export interface KeptCluster {
  readonly name: string;
  readonly id: string;
}

/** Returns the resources in `now` that are not in `before` and do not belong to a cluster in `kept`. */
export function leftOver(
  now: readonly string[],
  before: readonly string[],
  kept: readonly KeptCluster[],
): readonly string[] {
  const known = new Set(before);
  const patterns = kept.map(
    ({ name, id }) =>
      new RegExp(`/resourcegroups/(aro-)?${name}(/|$)|/a/[^/]*\\.${name}$|/rp-pe-${id}(\\.|$)`),
  );
  return now.filter((each) => !known.has(each) && !patterns.some((pattern) => pattern.test(each)));
}

/** Creates resources of other owners. Their names resemble the names of cluster resources. */
export async function plantForeignResources(world: WorldClient): Promise<void> {
  const { subscriptionId } = world.endpoints;
  const group = `/subscriptions/${subscriptionId}/resourceGroups/aro-foreign`;
  const location = "eastus";
  await world.azure("PUT", group, "2021-04-01", { location });
  const network = `${group}/providers/Microsoft.Network`;
  await world.azure("PUT", `${network}/networkSecurityGroups/chaos0-nsg`, "2020-08-01", { location });
  await world.azure("PUT", `${network}/publicIPAddresses/chaos0-pip-v4`, "2020-08-01", {
    location,
    sku: { name: "Standard" },
    properties: { publicIPAllocationMethod: "Static" },
  });
  const { value } = await world.azure("GET", `/subscriptions/${subscriptionId}/resources`);
  const zone = value.find(({ type }: { type: string }) => /\/dnszones$/i.test(type));
  await world.azure("PUT", `${zone.id}/A/api.foreign`, "2018-05-01", {
    properties: { TTL: 300, ARecords: [{ ipv4Address: "192.0.2.1" }] },
  });
}
