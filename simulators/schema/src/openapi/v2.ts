import { type KubeObject, Pace, type Phases, type ResourceType } from "@keelson/apimachinery";
import { builtinSchemas } from "./builtin-schemas.ts";
import { customKinds, customListSchema, customSchema } from "./custom-schemas.ts";
import type { JsonSchema } from "./json-schema.ts";
import { builtinResource, customResource, type PathItem, pathsOf } from "./paths.ts";

/** Approximate number of work steps for the paths and the list of one resource. */
const resourceSteps = 100;

/** OpenAPI 2 document of the server. */
export interface OpenApiV2 {
  readonly swagger: "2.0";
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly definitions: Readonly<Record<string, JsonSchema>>;
}

export function* buildOpenApiV2(
  types: readonly ResourceType[],
  crds: readonly KubeObject[],
): Phases<OpenApiV2> {
  const pace = new Pace();
  const customs = crds.flatMap(customKinds);
  const builtins = types.filter((type) => type.origin === "builtin");
  const definitions: [string, JsonSchema][] = [...builtinSchemas(2, types)];
  for (const custom of customs) {
    definitions.push([custom.definition, yield* customSchema(2, custom)]);
    definitions.push([custom.listDefinition, customListSchema(2, custom)]);
    if (pace.isOver(resourceSteps)) yield;
  }
  const paths: (readonly [string, PathItem])[] = [];
  for (const resource of [...builtins.map(builtinResource), ...customs.map(customResource)]) {
    paths.push(...pathsOf(2, resource));
    if (pace.isOver(resourceSteps)) yield;
  }
  return {
    swagger: "2.0",
    info: { title: "Kubernetes", version: "unversioned" },
    paths: Object.fromEntries(paths),
    definitions: Object.fromEntries(definitions),
  };
}
