import { type JsonObject, mergePatch } from "@keelson/base";
import { members, nonEmptyStringAt } from "../base/json.ts";
import { badRequest } from "./graph-error.ts";

/**
 * Returns the properties of `body` that are stored unchanged. Only properties in `names` are accepted. They are merged into
 * `existing`. Properties in `handled` are skipped, because the caller or the service sets them.
 * @throws GraphError 400 for a property that is neither in `names` nor in `handled`
 */
export function attributesIn(
  body: JsonObject,
  names: readonly string[],
  handled: readonly string[],
  existing: JsonObject = {},
): JsonObject {
  for (const name of Object.keys(body)) {
    if (names.includes(name) || handled.includes(name) || name.includes("@odata.")) continue;
    throw badRequest(`Invalid property '${name}'.`);
  }
  const given = Object.entries(body).filter(([name]) => names.includes(name));
  return members(mergePatch(existing, Object.fromEntries(given)));
}

/** Returns a required string property. @throws GraphError 400 if it is missing or not a string */
export function requiredText(body: JsonObject, name: string): string {
  const text = nonEmptyStringAt(body, name);
  if (text !== undefined) return text;
  throw badRequest(`A value is required for property '${name}' of resource.`);
}

/**
 * Returns an optional string property. Undefined if the property is missing.
 * @throws GraphError 400 if the property is not a string
 */
export function optionalText(body: JsonObject, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value;
  throw badRequest(`The property '${name}' must be a string.`);
}

/**
 * Returns an optional ISO 8601 time property in the service's time format. Undefined if the property is missing.
 * @throws GraphError 400
 */
export function optionalTime(body: JsonObject, name: string): string | undefined {
  const text = optionalText(body, name);
  if (text === undefined) return undefined;
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds)) throw badRequest(`The property '${name}' is not a time of ISO 8601.`);
  return new Date(milliseconds).toISOString();
}
