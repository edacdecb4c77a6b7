import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";

/** The example of a version with its variables replaced, as `envsubst` does. */
export function exampleRequest(
  version: "20191231" | "20250725" | "20250725-identities",
  variables: Readonly<Record<string, string>>,
): object {
  const text = readFileSync(new URL(`../../examples/cluster-v${version}.json`, import.meta.url), "utf8");
  return JSON.parse(
    text.replace(/\$\{?([A-Z_]+)\}?/g, (_, name: string) => {
      const value = variables[name];
      if (value === undefined) throw new Error(`the example uses $${name}, which is not set`);
      return value;
    }),
  );
}

/** Variables for a cluster of this name in the embedded network, with an application of its own. */
export function variablesFor(name: string, subscriptionId: string): Record<string, string> {
  return {
    AZURE_SUBSCRIPTION_ID: subscriptionId,
    AZURE_CLIENT_ID: randomUUID(),
    AZURE_CLIENT_SECRET: `secret-of-${name}-${randomUUID()}`,
    CLUSTER: name,
    LOCATION: "eastus",
    VNET_RESOURCEGROUP: "keelson-network",
  };
}
