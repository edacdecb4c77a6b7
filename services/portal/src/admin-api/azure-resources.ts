import { parseResourceId, resourceGroupNameOf } from "@keelson/arm";
import { listAt, stringAt, stringsAt } from "@keelson/base";
import type { AzureResource, AzureResources, EffectiveRoute, EffectiveRoutes } from "@keelson/portal-api";
import { portalErrors } from "../errors/portal-errors.ts";
import { printable } from "../text/printable.ts";

const maxResources = 5_000;
const maxRoutes = 1_000;
/** Maximum number of address prefixes and of next hops in a route. */
const maxAddresses = 100;
const maxLength = 256;
const powerState = /^PowerState\/(.+)$/i;

/**
 * Returns the resources in the result of the action `GET resources`.
 * @throws ClusterResponseInvalid
 */
export function azureResourcesOf(value: unknown): AzureResources {
  if (!Array.isArray(value)) throw invalid("a list");
  const resources = value.slice(0, maxResources).map(resourceOf);
  return { total: value.length, resources };
}

/**
 * Returns the routes in the result of the action `GET effectiveroutetable`.
 * @throws ClusterResponseInvalid
 */
export function effectiveRoutesOf(value: unknown): EffectiveRoutes {
  const routes = listAt(value, "value");
  if (routes.length === 0 && !Array.isArray(Object(value).value)) throw invalid("a list of routes");
  return { total: routes.length, routes: routes.slice(0, maxRoutes).map(routeOf) };
}

function resourceOf(resource: unknown): AzureResource {
  const id = stringAt(resource, "id") ?? "";
  return {
    name: text(stringAt(resource, "name") ?? parseResourceId(id)?.path.at(-1)?.[1]),
    type: text(stringAt(resource, "type")),
    resourceGroup: text(resourceGroupNameOf(id)),
    location: text(stringAt(resource, "location")),
    provisioningState: text(stringAt(resource, "properties", "provisioningState")),
    powerState: text(powerStateOf(resource)),
  };
}

function powerStateOf(resource: unknown): string | undefined {
  const statuses = listAt(resource, "properties", "instanceView", "statuses");
  const codes = statuses.slice(0, maxAddresses).map((status) => stringAt(status, "code") ?? "");
  return codes.map((code) => powerState.exec(code)?.[1]).find((state) => state !== undefined);
}

function routeOf(route: unknown): EffectiveRoute {
  return {
    name: text(stringAt(route, "name")),
    source: text(stringAt(route, "source")),
    state: text(stringAt(route, "state")),
    addressPrefixes: stringsAt(route, "addressPrefix").slice(0, maxAddresses).map(text),
    nextHopType: text(stringAt(route, "nextHopType")),
    nextHops: stringsAt(route, "nextHopIpAddress").slice(0, maxAddresses).map(text),
  };
}

function text(value: string | undefined): string {
  return printable((value ?? "").slice(0, maxLength));
}

function invalid(expected: string): Error {
  return portalErrors.ClusterResponseInvalid(`The response of the admin API is not ${expected}.`);
}
