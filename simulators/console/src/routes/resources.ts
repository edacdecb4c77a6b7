import { stringAt } from "@keelson/base";
import type { GroupsView, ResourcesView } from "../api/resources.ts";
import { consoleErrors } from "../http/errors.ts";
import { type Route, route } from "../http/route.ts";
import { bodyOf, listOf } from "../http/world-result.ts";
import type { World, WorldFacts } from "../world/world.ts";
import { requireName, requireResourceId, requireText } from "./input.ts";
import { clusterApiVersion } from "./service-clusters.ts";

const resourcesApiVersion = "2021-04-01";
/** API version that all providers of the simulated Azure accept. */
const usualApiVersion = "2024-03-01";
const maxGroups = 5_000;
const maxResources = 5_000;

/** Routes for resource groups and resources of the simulated Azure. */
export function resourceRoutes(facts: WorldFacts, world: () => Promise<World>): readonly Route[] {
  const { subscriptionId, location } = facts;
  const groupPath = (name: string) =>
    `/subscriptions/${subscriptionId}/resourceGroups/${encodeURIComponent(name)}`;
  return [
    route("GET", "/api/groups", async ({ signal }) => {
      const path = `/subscriptions/${subscriptionId}/resourceGroups?api-version=${resourcesApiVersion}`;
      const { items, isComplete } = await listOf((await world()).arm, path, maxGroups, signal);
      const groups = items.map((group) => {
        const { id, name, location: place, managedBy } = group;
        return {
          id: String(id),
          name: String(name),
          location: String(place),
          state: stringAt(group, "properties", "provisioningState") ?? "",
          ...(typeof managedBy === "string" ? { managedBy } : {}),
        };
      });
      const view: GroupsView = { subscriptionId, location, groups, isCut: !isComplete };
      return { status: 200, json: view };
    }),
    route("GET", "/api/groups/{group}/resources", async ({ parameter, signal }) => {
      const group = requireName(parameter("group"), "group");
      const path = `${groupPath(group)}/resources?api-version=${resourcesApiVersion}`;
      const { items, isComplete } = await listOf((await world()).arm, path, maxResources, signal);
      const resources = items.map(({ id, name, type, location: place }) => ({
        id: String(id),
        name: String(name),
        type: String(type),
        location: typeof place === "string" ? place : "",
      }));
      const view: ResourcesView = { resources, isCut: !isComplete };
      return { status: 200, json: view };
    }),
    route("GET", "/api/resource", async ({ query, signal }) => {
      const id = requireResourceId(query.get("id"), subscriptionId);
      const resource = await bodyOf((await world()).arm, { method: "GET", path: pathOf(id) }, signal);
      return { status: 200, json: { resource } };
    }),
    route("DELETE", "/api/resource", async ({ query, signal }) => {
      const id = requireResourceId(query.get("id"), subscriptionId);
      await bodyOf((await world()).arm, { method: "DELETE", path: pathOf(id) }, signal);
      return { status: 202 };
    }),
    route("POST", "/api/groups", async ({ json, signal }) => {
      const { name } = await json();
      const path = `${groupPath(requireName(name, "name"))}?api-version=${resourcesApiVersion}`;
      const { arm } = await world();
      if ((await arm({ method: "GET", path }, signal)).status === 200)
        throw consoleErrors.Conflict(`Resource group ${String(name)} exists.`);
      await bodyOf(arm, { method: "PUT", path, body: { location } }, signal);
      return { status: 201 };
    }),
    route("POST", "/api/virtual-networks", async ({ json, signal }) => {
      const { group, name, addressPrefix, subnets = [] } = await json();
      const id = `${groupPath(requireName(group, "group"))}/providers/Microsoft.Network/virtualNetworks/${requireName(name, "name")}`;
      const path = `${id}?api-version=${usualApiVersion}`;
      const { arm } = await world();
      if ((await arm({ method: "GET", path }, signal)).status === 200)
        throw consoleErrors.Conflict(`Virtual network ${String(name)} exists.`);
      const properties = {
        addressSpace: { addressPrefixes: [requireText(addressPrefix, "addressPrefix")] },
        subnets: parseSubnets(subnets),
      };
      await bodyOf(arm, { method: "PUT", path, body: { location, properties } }, signal);
      return { status: 201 };
    }),
  ];
}

function parseSubnets(value: unknown): readonly object[] {
  if (!Array.isArray(value) || value.length > 100)
    throw consoleErrors.BadRequest("subnets must be an array of at most 100 subnets.");
  return value.map((subnet: unknown, at) => ({
    name: requireName(Object(subnet).name, `subnets[${at}].name`),
    properties: { addressPrefix: requireText(Object(subnet).addressPrefix, `subnets[${at}].addressPrefix`) },
  }));
}

/** Returns the path of a resource or resource group. The query contains the api-version for the type of the resource. */
function pathOf(id: string): string {
  const segments = id.split("/").map(encodeURIComponent).join("/");
  return `${segments}?api-version=${apiVersionOf(id)}`;
}

function apiVersionOf(id: string): string {
  if (!/\/providers\//i.test(id)) return resourcesApiVersion;
  return /\/providers\/microsoft\.redhatopenshift\//i.test(id) ? clusterApiVersion : usualApiVersion;
}
