import { isPlainObject, type JsonObject, type JsonValue } from "@keelson/base";

/** Joins what the layers below have at a path with what a layer adds there. */
export type MergeValues = (below: JsonValue | undefined, added: JsonValue, path: string) => JsonValue;

/**
 * Sparse layers merged in their order: objects member by member; scalars, lists and nulls replace what is below as a
 * whole. `specials` join values at paths like `.apiServerArguments.enable-admission-plugins`. Absent layers are skipped.
 * @throws Error for a layer of another apiVersion or kind than those below it
 */
export function mergeConfig(
  layers: readonly (JsonObject | null | undefined)[],
  specials: Readonly<Record<string, MergeValues>> = {},
): JsonObject {
  let merged: JsonObject = {};
  let isFirst = true;
  for (const layer of layers) {
    if (!layer) continue;
    if (!isFirst) assertSameType(layer, merged);
    merged = mergeObjects(merged, layer, "", specials);
    isFirst = false;
  }
  return merged;
}

function assertSameType(layer: JsonObject, below: JsonObject): void {
  const [type, expected] = [layer, below].map(
    ({ apiVersion, kind }) => `${textOf(apiVersion)}/${textOf(kind)}`,
  );
  if (type !== "/" && type !== expected) throw new Error(`${type} does not equal ${expected}`);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function mergeObjects(
  below: JsonObject,
  added: JsonObject,
  path: string,
  specials: Readonly<Record<string, MergeValues>>,
): JsonObject {
  const members = new Map(Object.entries(below));
  for (const [name, value] of Object.entries(added)) {
    if (value === undefined) continue;
    const at = `${path}.${name}`;
    const current = members.get(name);
    const special = Object.hasOwn(specials, at) ? specials[at] : undefined;
    if (special) members.set(name, special(current, value, at));
    else if (isObject(value))
      members.set(name, mergeObjects(isObject(current) ? current : {}, value, at, specials));
    else members.set(name, value);
  }
  return Object.fromEntries(members);
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return isPlainObject(value);
}
