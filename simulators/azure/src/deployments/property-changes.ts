import { isDeepStrictEqual } from "node:util";
import type { JsonObject, JsonValue } from "@keelson/base";
import { isJsonObject } from "../base/json.ts";

/** Properties that the service sets. They are ignored in comparisons. */
const volatile = new Set([
  "etag",
  "provisioningState",
  "resourceGuid",
  "systemData",
  "changedTime",
  "createdTime",
  "createdOn",
  "updatedOn",
]);

/** Returns the property changes of a resource in the format of what-if responses. */
export function propertyChanges(before: JsonObject, after: JsonObject): readonly JsonObject[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) =>
    volatile.has(name) ? [] : changeOf(name, ownMember(before, name), ownMember(after, name)),
  );
}

/** Returns an own property of an object. Inherited properties are ignored, because tags can have names such as `constructor`. */
function ownMember(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function changeOf(
  path: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): readonly JsonObject[] {
  if (before === undefined) return after === undefined ? [] : [{ path, propertyChangeType: "Create", after }];
  if (after === undefined) return [{ path, propertyChangeType: "Delete", before }];
  if (isJsonObject(before) && isJsonObject(after)) {
    return propertyChanges(before, after).map((each) => ({ ...each, path: `${path}.${each.path}` }));
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const children = arrayChanges(before, after);
    return children.length === 0 ? [] : [{ path, propertyChangeType: "Array", children }];
  }
  return isDeepStrictEqual(before, after) ? [] : [{ path, propertyChangeType: "Modify", before, after }];
}

/** Compares array elements by name, or by index if they have no name. */
function arrayChanges(before: readonly JsonValue[], after: readonly JsonValue[]): readonly JsonObject[] {
  const keyOf = (each: JsonValue, at: number) =>
    isJsonObject(each) && typeof each.name === "string" ? `name ${each.name.toLowerCase()}` : `place ${at}`;
  const old = new Map(before.map((each, at) => [keyOf(each, at), { each, at }]));
  const changes = after.flatMap((each, at): readonly JsonObject[] => {
    const known = old.get(keyOf(each, at));
    old.delete(keyOf(each, at));
    if (!known) return [{ path: String(at), propertyChangeType: "Create", after: each }];
    if (!isJsonObject(known.each) || !isJsonObject(each)) return changeOf(String(at), known.each, each);
    const children = propertyChanges(known.each, each);
    return children.length === 0 ? [] : [{ path: String(at), propertyChangeType: "Modify", children }];
  });
  const gone = [...old.values()].map(({ each, at }) => ({
    path: String(at),
    propertyChangeType: "Delete",
    before: each,
  }));
  return [...changes, ...gone];
}
