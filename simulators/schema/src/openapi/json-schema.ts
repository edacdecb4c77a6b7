import { Pace, type Phases } from "@keelson/apimachinery";
import { isPlainObject } from "@keelson/base";

/** JSON Schema properties in the OpenAPI 2 and 3 documents of a Kubernetes server. Other properties are copied unchanged. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly allOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly [member: string]: unknown;
}

/**
 * OpenAPI version of a document. Version 2 does not support `oneOf` and `nullable`. Old kubectl versions validate objects with
 * version 2.
 */
export type OpenApiVersion = 2 | 3;

export function refTo(version: OpenApiVersion, definition: string): string {
  return `${version === 2 ? "#/definitions/" : "#/components/schemas/"}${definition}`;
}

/** Returns the definitions that a schema references, including references in nested schemas. */
export function* refsIn(schema: unknown): Phases<ReadonlySet<string>> {
  const found = new Set<string>();
  const waiting: unknown[] = [schema];
  const pace = new Pace();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (pace.isOver()) yield;
    if (!Array.isArray(next) && !isPlainObject(next)) continue;
    const $ref = isPlainObject(next) ? next.$ref : undefined;
    if (typeof $ref === "string") found.add($ref.slice($ref.lastIndexOf("/") + 1));
    for (const value of Object.values(next)) if (typeof value === "object") waiting.push(value);
  }
  return found;
}
