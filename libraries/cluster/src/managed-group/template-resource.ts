import { apiVersionOf } from "@keelson/azure";
import { isPlainObject, type JsonObject, type JsonValue } from "@keelson/base";

/** Resource of an ARM template. Strings in brackets are expressions that Azure evaluates. */
export interface TemplateResource {
  readonly type: string;
  readonly apiVersion: string;
  readonly name: string;
  readonly location?: string;
  /** Dependencies in the same template, in the form `type/name`. */
  readonly dependsOn?: readonly string[];
  readonly [member: string]: JsonValue | readonly string[] | undefined;
}

/** Returns a template resource with a body in Azure's documented form. */
export function templateResource(
  type: string,
  name: string,
  body: JsonObject,
  dependsOn: readonly string[] = [],
): TemplateResource {
  const apiVersion = apiVersionOf(type);
  if (apiVersion === undefined) throw new Error(`no API version is known for ${type}`);
  return { ...body, type, apiVersion, name, ...(dependsOn.length > 0 ? { dependsOn } : {}) };
}

/**
 * Fields at the top level of a resource or of a named child resource in Azure's documentation. All other fields are below
 * `properties`.
 */
const outside = new Set([
  "extendedLocation",
  "id",
  "identity",
  "kind",
  "location",
  "name",
  "sku",
  "tags",
  "zones",
]);

/**
 * Converts the SDK's flat model to the body in Azure's documentation. Moves all fields that are not in `outside` into
 * `properties`. Named list entries are converted the same way.
 */
export function bodyOf(model: object): JsonObject {
  const common: Record<string, JsonValue> = {};
  const properties: Record<string, JsonValue> = {};
  for (const [member, value] of Object.entries(model)) {
    if (value === undefined) continue;
    if (outside.has(member)) common[member] = value;
    else properties[member] = Array.isArray(value) ? value.map(partOf) : value;
  }
  return { ...common, ...(Object.keys(properties).length > 0 ? { properties } : {}) };
}

function partOf(part: JsonValue): JsonValue {
  return isPlainObject(part) && "name" in part ? bodyOf(part) : part;
}
