import type { KubeObject, Phases, ResourceType } from "@keelson/apimachinery";
import { typeNameOf } from "@keelson/kinds";
import { builtinSchemas } from "./builtin-schemas.ts";
import { customKinds, customListSchema, customSchema } from "./custom-schemas.ts";
import { definitionName } from "./definition-name.ts";
import { type JsonSchema, refsIn } from "./json-schema.ts";
import { builtinResource, customResource, groupVersionPath, type PathItem, pathsOf } from "./paths.ts";

/** OpenAPI 3 document of one API version. */
export interface OpenApiV3 {
  readonly openapi: "3.0.0";
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/** Returns the sorted paths of all API versions that have resources (`api/v1`, `apis/apps/v1`). */
export function groupVersionPaths(
  types: readonly ResourceType[],
  crds: readonly KubeObject[],
): readonly string[] {
  const builtins = types.filter((type) => type.origin === "builtin");
  return [...new Set([...builtins, ...crds.flatMap(customKinds)].map(groupVersionPath))].sort();
}

export function* buildOpenApiV3(
  path: string,
  types: readonly ResourceType[],
  crds: readonly KubeObject[],
): Phases<OpenApiV3> {
  const builtins = types.filter((type) => type.origin === "builtin" && groupVersionPath(type) === path);
  const customs = crds.flatMap(customKinds).filter((custom) => groupVersionPath(custom) === path);
  const own = [
    ...builtins.map((type) => definitionName(typeNameOf(type) ?? type.kind)),
    ...customs.map((custom) => custom.listDefinition),
  ];
  const common = builtinSchemas(3, types);
  const special = new Map<string, JsonSchema>();
  for (const custom of customs) {
    special.set(custom.definition, yield* customSchema(3, custom));
    special.set(custom.listDefinition, customListSchema(3, custom));
  }
  const resources = [...builtins.map(builtinResource), ...customs.map(customResource)];
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version: "unversioned" },
    paths: Object.fromEntries(resources.flatMap((resource) => pathsOf(3, resource))),
    components: { schemas: yield* reachable(own, (name) => special.get(name) ?? common.get(name)) },
  };
}

function* reachable(
  roots: readonly string[],
  find: (name: string) => JsonSchema | undefined,
): Phases<Readonly<Record<string, JsonSchema>>> {
  const found = new Map<string, JsonSchema>();
  const waiting = [...roots];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const schema = find(name);
    if (!schema || found.has(name)) continue;
    found.set(name, schema);
    waiting.push(...(yield* refsIn(schema)));
  }
  return Object.fromEntries([...found].sort(([left], [right]) => (left < right ? -1 : 1)));
}
