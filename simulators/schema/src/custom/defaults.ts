import { isPlainObject } from "@keelson/base";
import type { StructuralSchema } from "./structural-schema.ts";

/**
 * Sets the schema's defaults. A null that the schema does not allow is replaced by the default. If there is no default, the null
 * is removed, unless `keepsNulls` is true. Returns `value` itself if nothing changes.
 */
export function withDefaults(schema: StructuralSchema, value: unknown, keepsNulls = false): unknown {
  if (Array.isArray(value)) return withDefaultsInList(schema, value, keepsNulls);
  if (!isPlainObject(value)) return value;
  const { properties, additionalProperties } = schema;
  if (properties.size === 0 && !additionalProperties) return value;
  const changed = new Map<string, unknown>();
  for (const name of Object.keys(value)) {
    const known = properties.get(name) ?? additionalProperties;
    if (!known || known === "any") continue;
    const member = value[name];
    if (member === null && !known.nullable) {
      // Removes the null, so that the loop below can set a default.
      if (!keepsNulls || known.default !== undefined) changed.set(name, undefined);
      continue;
    }
    const next = withDefaults(known, member, keepsNulls);
    if (next !== member) changed.set(name, next);
  }
  if (schema.has.defaults) {
    for (const [name, property] of properties) {
      if (property.default === undefined) continue;
      if (Object.hasOwn(value, name) && !(changed.has(name) && changed.get(name) === undefined)) continue;
      changed.set(name, withDefaults(property, structuredClone(property.default), keepsNulls));
    }
  }
  return changed.size === 0 ? value : withMembers(value, changed);
}

/**
 * Removes properties that are null although their schema does not allow null. Keeps a null if the schema has a default for the
 * property.
 */
export function withoutStrayNulls(schema: StructuralSchema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (!items) return value;
    const next = value.map((each) => withoutStrayNulls(items, each));
    return next.every((each, at) => each === value[at]) ? value : next;
  }
  if (!isPlainObject(value)) return value;
  const { properties, additionalProperties } = schema;
  const changed = new Map<string, unknown>();
  for (const name of Object.keys(value)) {
    const known = properties.get(name) ?? additionalProperties;
    if (!known || known === "any") continue;
    const member = value[name];
    const isStray = member === null && !known.nullable && known.default === undefined;
    const next = isStray ? undefined : withoutStrayNulls(known, member);
    if (next !== member) changed.set(name, next);
  }
  return changed.size === 0 ? value : withMembers(value, changed);
}

function withDefaultsInList(
  { items }: StructuralSchema,
  list: readonly unknown[],
  keepsNulls: boolean,
): unknown {
  if (!items) return list;
  const next = list.map((each) => withDefaults(items, each, keepsNulls));
  return next.every((each, at) => each === list[at]) ? list : next;
}

/**
 * Returns a copy with properties replaced or added. Existing properties keep their position. Added properties follow at the end.
 * Properties that are `undefined` are removed.
 */
export function withMembers(
  value: Readonly<Record<string, unknown>>,
  changed: ReadonlyMap<string, unknown>,
): Record<string, unknown> {
  const entries = Object.keys(value).map(
    (name) => [name, changed.has(name) ? changed.get(name) : value[name]] as const,
  );
  const added = [...changed].filter(([name]) => !Object.hasOwn(value, name));
  // Object.fromEntries creates an ordinary property even for the name `__proto__`. An assignment would set the prototype.
  return Object.fromEntries([...entries, ...added].filter(([, member]) => member !== undefined));
}
