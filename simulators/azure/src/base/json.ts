import { isPlainObject, type JsonObject, type JsonValue } from "@keelson/base";

const maxDepth = 64;

/** Converts parsed JSON to typed JSON. Rejects values that are nested so deeply that they could exhaust the stack. */
export function asJson(value: unknown, depth = 0): JsonValue {
  if (depth > maxDepth) throw new RangeError(`JSON is nested deeper than ${maxDepth} levels`);
  if (
    value === null ||
    typeof value === "string" ||
    typeof value === "number" ||
    typeof value === "boolean"
  ) {
    return value;
  }
  if (Array.isArray(value)) return value.map((each) => asJson(each, depth + 1));
  if (!isPlainObject(value)) throw new TypeError("not a JSON value");
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, asJson(each, depth + 1)]));
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value if it is an object. Otherwise returns an empty object. */
export function members(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Returns the value at `path`. Example: `at(body, "properties", "subnet", "id")`. */
export function at(value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((each, name) => members(each)[name], value);
}

export function nonEmptyStringAt(
  value: JsonValue | undefined,
  ...path: readonly string[]
): string | undefined {
  const found = at(value, ...path);
  return typeof found === "string" && found !== "" ? found : undefined;
}

/** Returns the objects of the array at `path`. Returns an empty list if there is no array at `path`. */
export function objectsAt(value: JsonValue | undefined, ...path: readonly string[]): readonly JsonObject[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found.filter(isJsonObject) : [];
}

/** Returns `object` without the named fields. */
export function without(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** Returns `resource` with `changes` applied to its `properties`. */
export function withProperties(resource: JsonObject, changes: JsonObject): JsonObject {
  return { ...resource, properties: { ...members(resource.properties), ...changes } };
}
