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
 * The fields of an object that its sender names: leaves, items of lists and keys of maps. An object with named fields
 * is only in the set if it is empty.
 */
export function* namedFields(schema: FieldSchema, object: unknown): Phases<FieldSet> {
  return (yield* childrenOf(schema, object, { whole: false, isMember: false }, new Pace())) ?? emptySet;
}

/** All fields of a value that appeared or went as a whole: with the objects and lists that hold others. */
export function* everyField(schema: FieldSchema, value: unknown, pace = new Pace()): Phases<FieldSet> {
  return (yield* childrenOf(schema, value, { whole: true, isMember: true }, pace)) ?? leaf;
}

/** The fields of a new object: `everyField` without what is there from birth. */
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
  /** Objects and lists are fields, too, beside those that they hold. */
  readonly whole: boolean;
  /** The value itself is in the set. */
  readonly isMember: boolean;
}

/** `undefined` when the value holds no fields. */
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
      // The path element alone represents duplicates.
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
      // An object that holds nothing but what nobody owns is nobody's, either.
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
