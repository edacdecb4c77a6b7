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

/**
 * API versions by type or namespace, lower case (Azure/ARO-RP pkg/util/azureclient/apiversions.go): what templates
 * write, and what deletions name. Types that are not here go with their group.
 */
const apiVersions: Readonly<Record<string, string>> = {
  "microsoft.authorization": "2018-09-01-preview",
  "microsoft.authorization/denyassignments": "2018-07-01-preview",
  "microsoft.authorization/roledefinitions": "2018-01-01-preview",
  "microsoft.compute": "2024-03-01",
  "microsoft.compute/diskencryptionsets": "2021-04-01",
  "microsoft.compute/disks": "2019-03-01",
  "microsoft.compute/galleries": "2022-03-03",
  "microsoft.compute/snapshots": "2020-05-01",
  "microsoft.containerregistry": "2020-11-01-preview",
  "microsoft.insights": "2018-03-01",
  "microsoft.keyvault": "2019-09-01",
  "microsoft.managedidentity": "2018-11-30",
  "microsoft.network": "2020-08-01",
  "microsoft.network/dnszones": "2018-05-01",
  "microsoft.network/privatednszones": "2018-09-01",
  "microsoft.storage": "2021-09-01",
};

/** Of the type itself, or of the nearest type or namespace above it. */
export function apiVersionOf(type: string): string | undefined {
  const segments = type.toLowerCase().split("/");
  for (let length = segments.length; length > 0; length--) {
    const version = apiVersions[segments.slice(0, length).join("/")];
    if (version !== undefined) return version;
  }
  return undefined;
}

/** A resource from its body in the form in which Azure documents it. */
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

/** Members that stand beside `properties`, in a resource and in its named parts. */
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
 * The body in which Azure documents a resource, from the flat model of the official client: what is not one of the
 * common members goes into `properties`, also in the named entries of lists.
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
