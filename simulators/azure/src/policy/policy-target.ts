import type { JsonObject, JsonValue } from "@keelson/base";
import { isJsonObject } from "../base/json.ts";

/** Resource or group in the state after a write. Policies are evaluated for this state. */
export interface PolicyTarget {
  readonly id: string;
  readonly name: string;
  /** Full resource type, for example `Microsoft.Network/virtualNetworks`. */
  readonly type: string;
  readonly body: JsonObject;
  /** True if the resource type has tags and a location. Policies in mode `Indexed` apply only to such types. */
  readonly isIndexed: boolean;
}

/** Property paths by lower-case policy alias. Contains only the aliases that differ from their property path. */
const aliases = new Map(
  Object.entries({
    "microsoft.compute/virtualmachines/sku.name": "properties.hardwareProfile.vmSize",
    "microsoft.compute/imagepublisher": "properties.storageProfile.imageReference.publisher",
    "microsoft.compute/imageoffer": "properties.storageProfile.imageReference.offer",
    "microsoft.compute/imagesku": "properties.storageProfile.imageReference.sku",
  }),
);

/**
 * Returns the values of a condition's field. A field with `[*]` has one value per array element. Every other field has one value.
 * Missing values are `undefined`.
 */
export function fieldValues(target: PolicyTarget, field: string): readonly (JsonValue | undefined)[] {
  const { body, id, name, type } = target;
  const tag = /^tags\[(.*)\]$|^tags\.(.+)$/is.exec(field);
  if (tag) return resolve(body, ["tags", tag[2] ?? (tag[1] ?? "").trim().replace(/^'|'$/g, "")]);
  switch (field.toLowerCase()) {
    case "name":
      return [name];
    case "fullname":
      return [
        id
          .split("/")
          .slice(id.split("/").findLastIndex((each) => each.toLowerCase() === "providers") + 3)
          .filter((_, index) => index % 2 === 0)
          .join("/"),
      ];
    case "type":
      return [type];
    case "id":
      return [id];
    case "tags":
    case "kind":
    case "location":
      return resolve(body, [field]);
    case "identity.type":
      return resolve(body, ["identity", "type"]);
  }
  const alias = aliases.get(field.toLowerCase());
  const ownPrefix = `${type.toLowerCase()}/`;
  if (!field.toLowerCase().startsWith(ownPrefix)) {
    return alias ? resolve(body, alias.split(".")) : [undefined];
  }
  return resolve(body, (alias ?? field.slice(ownPrefix.length)).split(/[./]/));
}

/** Returns the values at the property path of an alias. An alias may omit `properties` at every level of the path. */
function resolve(
  value: JsonValue | undefined,
  path: readonly string[],
  at = 0,
): readonly (JsonValue | undefined)[] {
  const step = path[at];
  if (step === undefined) return [value];
  if (value === undefined)
    return path.some((each, index) => index >= at && each.endsWith("[*]")) ? [] : [undefined];
  const name = step.replace(/\[\*\]$/, "");
  const found = memberOf(value, name) ?? memberOf(memberOf(value, "properties"), name);
  if (!step.endsWith("[*]")) return resolve(found, path, at + 1);
  return Array.isArray(found) ? found.flatMap((each: JsonValue) => resolve(each, path, at + 1)) : [];
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (!isJsonObject(value)) return undefined;
  return Object.entries(value).find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
}
