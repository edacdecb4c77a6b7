import {
  emptySet,
  type FieldSet,
  type FieldTree,
  isEmpty,
  leaf,
  Pace,
  type Phases,
  treeOf,
} from "@keelson/apimachinery";
import { isPlainObject } from "@keelson/base";
import { itemElement } from "./elements.ts";
import { type FieldSchema, isNamed, memberSchema } from "./field-schema.ts";

/**
 * Returns the fields in a client's object: leaves, list items and map keys. A field that the schema declares contributes the
 * nested fields of its value. The field itself is in the set only if its value has no nested fields.
 */
export function* namedFields(schema: FieldSchema, object: unknown): Phases<FieldSet> {
  return (yield* childrenOf(schema, object, { whole: false, isMember: false }, new Pace())) ?? emptySet;
}

/** Returns all fields of a value that was added or removed as a unit. Objects and lists with nested fields are included. */
export function* everyField(schema: FieldSchema, value: unknown, pace = new Pace()): Phases<FieldSet> {
  return (yield* childrenOf(schema, value, { whole: true, isMember: true }, pace)) ?? leaf;
}

/** Returns all fields of a new object, like `everyField`. Implicit fields are omitted, but their nested fields are included. */
export function* newFields(schema: FieldSchema, object: unknown): Phases<FieldSet> {
  if (schema.kind !== "struct" || !isPlainObject(object)) {
    return (yield* childrenOf(schema, object, { whole: true, isMember: false }, new Pace())) ?? emptySet;
  }
  const tree: FieldTree = {};
  for (const name in object) {
    const field = memberSchema(schema, name);
    const value = object[name];
    if (!field || value === undefined) continue;
    if (!schema.implicitFields.has(name)) tree[`f:${name}`] = yield* everyField(field, value);
    else {
      const children = yield* newFields(field, value);
      if (!isEmpty(children)) tree[`f:${name}`] = children;
    }
  }
  return tree;
}

interface Extent {
  /** True to include objects and lists that have nested fields. */
  readonly whole: boolean;
  /** True to include the value itself in the set. */
  readonly isMember: boolean;
}

/** Returns the fields below a value, or undefined if there are none. */
function* childrenOf(
  schema: FieldSchema,
  value: unknown,
  { whole, isMember }: Extent,
  pace: Pace,
): Phases<FieldSet | undefined> {
  if (schema.kind === "leaf") return undefined;
  const tree = treeOf(isMember);
  let none = true;
  if (Array.isArray(value)) {
    if (schema.kind !== "set" && schema.kind !== "list") return undefined;
    for (const item of value) {
      if (pace.isOver()) yield;
      none = false;
      const element = itemElement(schema, item);
      // The set contains only the path element of duplicate items, without nested fields.
      if (schema.kind === "set" || tree[element] !== undefined) tree[element] = leaf;
      else tree[element] = (yield* childrenOf(schema.items, item, { whole, isMember: true }, pace)) ?? leaf;
    }
    return none ? undefined : tree;
  }
  if (!isPlainObject(value) || schema.kind === "set" || schema.kind === "list") return undefined;
  for (const name in value) {
    if (pace.isOver()) yield;
    const member = value[name];
    const inner = memberSchema(schema, name);
    if (!inner || member === undefined) continue;
    if (inner.kind === "leaf") tree[`f:${name}`] = leaf;
    else {
      const isField = whole || !isNamed(schema, name);
      const children = yield* childrenOf(inner, member, { whole, isMember: isField }, pace);
      // If no field of an object has an owner, the object has no owner.
      if (!children && inner.kind === "struct" && holdsAny(member)) continue;
      tree[`f:${name}`] = children ?? leaf;
    }
    none = false;
  }
  return none ? undefined : tree;
}

function holdsAny(value: unknown): boolean {
  return isPlainObject(value) && !isEmpty(value);
}
