import { isPlainObject } from "@keelson/base";
import { Pace, type Phases } from "../threads/phases.ts";
import { itemElement } from "./elements.ts";
import { emptySet, type FieldSet, type FieldTree, isEmpty, leaf, treeOf } from "./field-set.ts";
import { isNamed, memberShape, type Shape } from "./shape.ts";

/**
 * The fields of an object that its sender names: leaves, items of lists and keys of maps. An object with named fields
 * is only in the set if it is empty.
 */
export function* namedFields(shape: Shape, object: unknown): Phases<FieldSet> {
  return (yield* childrenOf(shape, object, { whole: false, isMember: false }, new Pace())) ?? emptySet;
}

/** All fields of a value that appeared or went as a whole: with the objects and lists that hold others. */
export function* everyField(shape: Shape, value: unknown, pace = new Pace()): Phases<FieldSet> {
  return (yield* childrenOf(shape, value, { whole: true, isMember: true }, pace)) ?? leaf;
}

/** The fields of a new object: `everyField` without what is there from birth. */
export function* newFields(shape: Shape, object: unknown): Phases<FieldSet> {
  if (shape.kind !== "struct" || !isPlainObject(object)) {
    return (yield* childrenOf(shape, object, { whole: true, isMember: false }, new Pace())) ?? emptySet;
  }
  const tree: FieldTree = {};
  for (const name in object) {
    const field = memberShape(shape, name);
    const value = object[name];
    if (!field || value === undefined) continue;
    if (!shape.inborn.has(name)) tree[`f:${name}`] = yield* everyField(field, value);
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
  shape: Shape,
  value: unknown,
  { whole, isMember }: Extent,
  pace: Pace,
): Phases<FieldSet | undefined> {
  if (shape.kind === "leaf") return undefined;
  const tree = treeOf(isMember);
  let none = true;
  if (Array.isArray(value)) {
    if (shape.kind !== "set" && shape.kind !== "list") return undefined;
    for (const item of value) {
      if (pace.isOver()) yield;
      none = false;
      const below =
        shape.kind === "list" ? childrenOf(shape.items, item, { whole, isMember: true }, pace) : [];
      tree[itemElement(shape, item)] = (yield* below) ?? leaf;
    }
    return none ? undefined : tree;
  }
  if (!isPlainObject(value) || shape.kind === "set" || shape.kind === "list") return undefined;
  for (const name in value) {
    if (pace.isOver()) yield;
    const member = value[name];
    const inner = memberShape(shape, name);
    if (!inner || member === undefined) continue;
    if (inner.kind === "leaf") tree[`f:${name}`] = leaf;
    else {
      const isField = whole || !isNamed(shape, name);
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
