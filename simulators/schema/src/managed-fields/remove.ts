import {
  type FieldSet,
  type FieldTree,
  isEmpty,
  isMember,
  leaf,
  nodeOf,
  Pace,
  type Phases,
  treeOf,
} from "@keelson/apimachinery";
import { isPlainObject } from "@keelson/base";
import { itemElement } from "./elements.ts";
import { type FieldSchema, isNamed, memberSchema } from "./field-schema.ts";

/**
 * Removes an applier's fields `lost`, except fields that other managers own (`kept`). Removing a field also removes its nested
 * fields. If an object or list becomes empty, it is also removed, unless it is in `kept`.
 */
export function* removeFields(
  schema: FieldSchema,
  value: unknown,
  lost: FieldSet,
  kept: FieldSet | undefined,
  pace = new Pace(),
): Phases<unknown> {
  if (isEmpty(lost)) return value;
  if (Array.isArray(value)) {
    if (schema.kind !== "set" && schema.kind !== "list") return value;
    const items: unknown[] = [];
    for (const item of value) {
      if (pace.isOver()) yield;
      const element = itemElement(schema, item);
      const [gone, held] = [lost[element], kept?.[element]];
      if (gone && isMember(gone) && !isMember(held)) continue;
      const divides = gone && schema.kind === "list";
      const left: unknown = divides ? yield* removeFields(schema.items, item, gone, held, pace) : item;
      if (left !== undefined) items.push(left);
    }
    return items.length === 0 && value.length > 0 && !isMember(kept) ? undefined : items;
  }
  if (!isPlainObject(value) || schema.kind === "leaf" || schema.kind === "set" || schema.kind === "list") {
    return value;
  }
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    if (pace.isOver()) yield;
    const [gone, held] = [lost[`f:${name}`], kept?.[`f:${name}`]];
    const inner = memberSchema(schema, name);
    if (!gone || !inner) {
      members.push([name, member]);
      continue;
    }
    // A manager that owns a nested field also owns the named field around it.
    const isHeld = held !== undefined && (isNamed(schema, name) || isMember(held));
    if (isMember(gone) && !isHeld) continue;
    const left = yield* removeFields(inner, member, gone, held, pace);
    if (left !== undefined) members.push([name, left]);
  }
  const emptied = members.length === 0 && Object.keys(value).length > 0;
  return emptied && !isMember(kept) ? undefined : Object.fromEntries(members);
}

/**
 * Adds to a set the named fields that contain the fields of the set. A manager that owned all nested fields also owned the named
 * field that contains them.
 */
export function* withNamedFields(
  schema: FieldSchema,
  set: FieldSet,
  member = false,
  pace = new Pace(),
): Phases<FieldSet> {
  const tree: FieldTree = treeOf(member);
  for (const element in set) {
    if (pace.isOver()) yield;
    const node = set[element] ?? leaf;
    const inner = schemaBelow(schema, element);
    const named = element.startsWith("f:") && isNamed(schema, element.slice(2)) && !isMember(node);
    if (inner) tree[element] = yield* withNamedFields(inner, node, named, pace);
    else tree[element] = named ? (nodeOf(true, node) ?? leaf) : node;
  }
  return tree;
}

function schemaBelow(schema: FieldSchema, element: string): FieldSchema | undefined {
  if (schema.kind === "list") return schema.items;
  if (schema.kind === "leaf" || schema.kind === "set" || !element.startsWith("f:")) return undefined;
  return memberSchema(schema, element.slice(2));
}
