import { isPlainObject } from "@keelson/base";
import { itemElement } from "./elements.ts";
import { type FieldSet, type FieldTree, isEmpty, isMember, leaf, nodeOf } from "./field-set.ts";
import { isNamed, memberShape, type Shape } from "./shape.ts";

/**
 * A value without the fields that its applier had and gave up (`lost`), unless somebody has them (`kept`). What is in
 * a field goes with it. An object or list that is left empty goes, too, unless somebody has it itself.
 */
export function removeFields(
  shape: Shape,
  value: unknown,
  lost: FieldSet,
  kept: FieldSet | undefined,
): unknown {
  if (isEmpty(lost)) return value;
  if (Array.isArray(value)) {
    if (shape.kind !== "set" && shape.kind !== "list") return value;
    const items = value.flatMap((item) => {
      const element = itemElement(shape, item);
      const [gone, held] = [lost[element], kept?.[element]];
      if (!gone) return [item];
      if (isMember(gone) && !isMember(held)) return [];
      const left = shape.kind === "list" ? removeFields(shape.items, item, gone, held) : item;
      return left === undefined ? [] : [left];
    });
    return items.length === 0 && value.length > 0 && !isMember(kept) ? undefined : items;
  }
  if (!isPlainObject(value) || shape.kind === "leaf" || shape.kind === "set" || shape.kind === "list") {
    return value;
  }
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const [gone, held] = [lost[`f:${name}`], kept?.[`f:${name}`]];
    const inner = memberShape(shape, name);
    if (!gone || !inner) return [[name, member]];
    // Whoever has something in a named field has the field.
    const isHeld = held !== undefined && (isNamed(shape, name) || isMember(held));
    if (isMember(gone) && !isHeld) return [];
    const left = removeFields(inner, member, gone, held);
    return left === undefined ? [] : [[name, left]];
  });
  const emptied = members.length === 0 && Object.keys(value).length > 0;
  return emptied && !isMember(kept) ? undefined : Object.fromEntries(members);
}

/** The set with every named field that holds fields of the set: whoever had all that it held had the field. */
export function withNamedFields(shape: Shape, set: FieldSet): FieldSet {
  const tree: FieldTree = {};
  for (const [element, node] of Object.entries(set)) {
    const name = element.slice(2);
    const inner = shapeBelow(shape, element);
    const below = inner ? withNamedFields(inner, node) : node;
    const named = element.startsWith("f:") && isNamed(shape, name);
    tree[element] = named && !isMember(node) ? (nodeOf(true, below) ?? leaf) : below;
  }
  return tree;
}

function shapeBelow(shape: Shape, element: string): Shape | undefined {
  if (shape.kind === "list") return shape.items;
  if (shape.kind === "leaf" || shape.kind === "set" || !element.startsWith("f:")) return undefined;
  return memberShape(shape, element.slice(2));
}
