import type { ClusterClient } from "@keelson/apimachinery";

export const definitions = {
  group: "apiextensions.k8s.io",
  version: "v1",
  resource: "customresourcedefinitions",
} as const;

/** Resource that `definitionOf` defines. */
export const things = { group: "example.com", version: "v1", resource: "things" } as const;

/** Returns a test definition of `things.example.com`. `spec` is the schema of the objects' spec. */
export function definitionOf(spec: unknown, more: Readonly<Record<string, unknown>> = {}) {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "things", kind: "Thing" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
          ...more,
        },
      ],
    },
  };
}

export function thing(spec: unknown, metadata: object = {}) {
  return {
    apiVersion: "example.com/v1",
    kind: "Thing",
    metadata: { name: "a", namespace: "default", ...metadata },
    spec,
  };
}

/** Creates or replaces a definition. */
export async function define(
  client: ClusterClient,
  definition: ReturnType<typeof definitionOf>,
): Promise<void> {
  const found = (await client.list(definitions)).items.find(
    ({ metadata }) => metadata.name === definition.metadata.name,
  );
  if (found) await client.update(definitions, { ...found, spec: definition.spec });
  else await client.create(definitions, definition);
}

/** Returns the error message of a rejected call, or `accepted`. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "accepted";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
