import { apiVersionOf } from "@keelson/azure";
import { isPlainObject, type JsonObject, type JsonValue } from "@keelson/base";

/** One resource of an ARM template. Texts in brackets are expressions that Azure evaluates. */
export interface TemplateResource {
  readonly type: string;
  readonly apiVersion: string;
  readonly name: string;
  readonly location?: string;
  /** `type/name` of other resources of the same template. */
  readonly dependsOn?: readonly string[];
  readonly [member: string]: JsonValue | readonly string[] | undefined;
}

/** A resource with a body as Azure documents it. */
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

/** Members beside `properties`, of resources and their named parts. */
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
 * Converts the SDK's flat model to the body that Azure documents: all but the common members go into `properties`,
 * also in named entries of lists.
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
