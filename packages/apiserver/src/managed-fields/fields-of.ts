import { isPlainObject } from "@keelson/base";
import { itemElement } from "./elements.ts";
import { type FieldSet, type FieldTree, isEmpty, leaf, nodeOf } from "./field-set.ts";
import { isNamed, memberShape, type Shape } from "./shape.ts";

/**
 * The fields of an object that its sender names: leaves, items of lists and keys of maps. An object with named fields
 * is only in the set if it is empty.
 */
export function namedFields(shape: Shape, object: unknown): FieldSet {
  return childrenOf(shape, object, false);
}

/** All fields of a value that appeared or went as a whole: with the objects and lists that hold others. */
export function everyField(shape: Shape, value: unknown): FieldSet {
  return nodeOf(true, childrenOf(shape, value, true)) ?? leaf;
}

/** The fields of a new object: `everyField` without what is there from birth. */
export function newFields(shape: Shape, object: unknown): FieldSet {
  if (shape.kind !== "struct" || !isPlainObject(object)) return childrenOf(shape, object, true);
  const tree: FieldTree = {};
  for (const name in object) {
    const field = memberShape(shape, name);
    const value = object[name];
    if (!field || value === undefined) continue;
    if (!shape.inborn.has(name)) tree[`f:${name}`] = everyField(field, value);
    else {
      const children = newFields(field, value);
      if (!isEmpty(children)) tree[`f:${name}`] = children;
    }
  }
  return tree;
}

/** `whole`: objects and lists are fields, too, beside those that they hold. */
function childrenOf(shape: Shape, value: unknown, whole: boolean): FieldSet {
  const tree: FieldTree = {};
  if (Array.isArray(value)) {
    if (shape.kind === "set") for (const item of value) tree[itemElement(shape, item)] = leaf;
    if (shape.kind === "list") {
      for (const item of value) {
        tree[itemElement(shape, item)] = nodeOf(true, childrenOf(shape.items, item, whole)) ?? leaf;
      }
    }
    return tree;
  }
  if (!isPlainObject(value) || shape.kind === "leaf" || shape.kind === "set" || shape.kind === "list") {
    return tree;
  }
  for (const name in value) {
    const member = value[name];
    const inner = memberShape(shape, name);
    if (!inner || member === undefined) continue;
    if (inner.kind === "leaf") {
      tree[`f:${name}`] = leaf;
      continue;
    }
    const children = childrenOf(inner, member, whole);
    // An object that holds nothing but what nobody owns is nobody's, either.
    if (inner.kind === "struct" && isEmpty(children) && holdsAny(member)) continue;
    const isField = whole || !isNamed(shape, name) || isEmpty(children);
    tree[`f:${name}`] = nodeOf(isField, children) ?? leaf;
  }
  return tree;
}

function holdsAny(value: unknown): boolean {
  return isPlainObject(value) && !isEmpty(value);
}
