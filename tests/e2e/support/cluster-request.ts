import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Dispatcher } from "undici";
import { azureApis } from "../../../cmd/keelson/src/rp-client/azure-calls.ts";
import { registerClusterApplication } from "../../../cmd/keelson/src/rp-client/cluster-application.ts";
import type { Endpoints } from "./endpoints.ts";

export type ExampleVersion = "20191231" | "20250725" | "20250725-identities";

/** Returns the example request of a version. Replaces its variables, like `envsubst`. */
export function exampleRequest(version: ExampleVersion, variables: Readonly<Record<string, string>>): object {
  return JSON.parse(
    exampleText(version).replace(/\$\{?([A-Z_]+)\}?/g, (_, name: string) => {
      const value = variables[name];
      if (value === undefined) throw new Error(`the example uses $${name}, which is not set`);
      return value;
    }),
  );
}

const exampleTexts = new Map<ExampleVersion, string>();

/** Reads each example once, because benchmarks send thousands of requests. */
function exampleText(version: ExampleVersion): string {
  const known = exampleTexts.get(version);
  if (known !== undefined) return known;
  const text = readFileSync(new URL(`../../../examples/cluster-v${version}.json`, import.meta.url), "utf8");
  exampleTexts.set(version, text);
  return text;
}

/** Returns the variables for a cluster that uses the given Entra application and the default network. */
export function variablesFor(
  name: string,
  subscriptionId: string,
  { clientId, clientSecret }: ClusterApplication = unregistered(name),
): Record<string, string> {
  return {
    AZURE_SUBSCRIPTION_ID: subscriptionId,
    AZURE_CLIENT_ID: clientId,
    AZURE_CLIENT_SECRET: clientSecret,
    CLUSTER: name,
    LOCATION: "eastus",
    VNET_RESOURCEGROUP: "keelson-network",
  };
}

export interface ClusterApplication {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Returns random credentials of an application that does not exist, for requests that never create a cluster. */
function unregistered(name: string): ClusterApplication {
  return { clientId: randomUUID(), clientSecret: `secret-of-${name}-${randomUUID()}` };
}

/**
 * Registers an application that has roles on the network of the resource group `networkGroup`. Default: the resource group of the
 * default network. If `networkGroup` is `none`, the application has no roles.
 */
export function registerApplication(
  endpoints: Endpoints,
  dispatcher: Dispatcher,
  networkGroup: string = "keelson-network",
): Promise<ClusterApplication> {
  const group = `/subscriptions/${endpoints.subscriptionId}/resourceGroups/${networkGroup}`;
  const virtualNetworkId = `${group}/providers/Microsoft.Network/virtualNetworks/vnet`;
  return registerClusterApplication({
    apis: azureApis({ endpoints, dispatcher, signal: AbortSignal.timeout(900_000) }),
    subscriptionId: endpoints.subscriptionId,
    displayName: "cluster of a test",
    virtualNetworkId: networkGroup === "none" ? undefined : virtualNetworkId,
  });
}
