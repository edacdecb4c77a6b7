import {
  atOnce,
  emptySet,
  type FieldSet,
  type FieldTree,
  leaf,
  nodeOf,
  Pace,
  type Phases,
  sameJson,
  unionInPhases,
} from "@keelson/apimachinery";
import { isPlainObject } from "@keelson/base";
import { Duplicates, itemsOf } from "./elements.ts";
import {
  type FieldSchema,
  type ListSchema,
  leafSchema,
  memberSchema,
  type SetSchema,
} from "./field-schema.ts";
import { everyField } from "./fields-of.ts";

/** Differences between two objects. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
  /** Union of `modified` and `added`. */
  readonly changed: FieldSet;
}

/** Differences at one node. A missing property means no difference. */
interface Changes {
  added?: FieldTree;
  modified?: FieldTree;
  removed?: FieldTree;
}

/** Compares two objects field by field. */
export function compare(schema: FieldSchema, before: unknown, after: unknown): Comparison {
  return atOnce(compareInPhases(schema, before, after));
}

export function* compareInPhases(schema: FieldSchema, before: unknown, after: unknown): Phases<Comparison> {
  const changes = yield* changesOf(schema, before, after, new Pace());
  const { added = emptySet, modified = emptySet, removed = emptySet } = changes ?? {};
  return { added, modified, removed, changed: yield* unionInPhases(modified, added) };
}

/** Returns the differences, or undefined if there are none. */
function* changesOf(
  schema: FieldSchema,
  before: unknown,
  after: unknown,
  pace: Pace,
): Phases<Changes | undefined> {
  if (before === after) return undefined;
  if (schema.kind === "set" || schema.kind === "list") {
    return yield* changesOfList(schema, before, after, pace);
  }
  const [old, next] = [containerOf(before), containerOf(after)];
  if (schema.kind === "leaf" || !old || !next || !(isPlainObject(before) || isPlainObject(after))) {
    return changesOfLeaf(before, after);
  }
  if (isEmptyObject(old) && isEmptyObject(next)) return changesOfLeaf(before, after);
  const changes: Changes = {};
  for (const name in next) {
    if (pace.isOver()) yield;
    const [value, was] = [next[name], own(old, name)];
    // Most fields are unchanged strings. This check avoids creating paths for these fields.
    if (value === undefined || value === was) continue;
    const inner = memberSchema(schema, name);
    if (inner) yield* note(changes, `f:${name}`, inner, was, value, pace);
  }
  for (const name in old) {
    if (pace.isOver()) yield;
    const value = old[name];
    if (value === undefined || own(next, name) !== undefined) continue;
    const inner = memberSchema(schema, name);
    if (inner) yield* note(changes, `f:${name}`, inner, value, undefined, pace);
  }
  return changes;
}

function* changesOfList(
  schema: ListSchema | SetSchema,
  before: unknown,
  after: unknown,
  pace: Pace,
): Phases<Changes | undefined> {
  const [old, next] = [before ?? [], after ?? []];
  if (!Array.isArray(old) || !Array.isArray(next) || (old.length === 0 && next.length === 0)) {
    return changesOfLeaf(before, after);
  }
  if (sameJson(old, next)) return undefined;
  const inner: FieldSchema = schema.kind === "list" ? schema.items : leafSchema;
  const oldItems = yield* itemsOf(schema, old, pace);
  const nextItems = yield* itemsOf(schema, next, pace);
  const changes: Changes = {};
  for (const [element, item] of nextItems) {
    const was = oldItems.get(element);
    if (item instanceof Duplicates || was instanceof Duplicates)
      yield* noteDuplicates(changes, element, inner, was, item, pace);
    else yield* note(changes, element, inner, was, item, pace);
  }
  for (const [element, item] of oldItems) {
    if (nextItems.has(element)) continue;
    if (item instanceof Duplicates) yield* noteDuplicates(changes, element, inner, item, undefined, pace);
    else yield* note(changes, element, inner, item, undefined, pace);
  }
  return changes;
}

/**
 * Adds the differences between two items with the same path element. At least one of the items is `Duplicates`. Differences of
 * `Duplicates` contain only the path element, without nested fields.
 * @see kubernetes-sigs/structured-merge-diff typed/compare.go (visitListItems)
 */
function* noteDuplicates(
  changes: Changes,
  element: string,
  schema: FieldSchema,
  before: unknown,
  after: unknown,
  pace: Pace,
): Phases<void> {
  const mark = (kind: "added" | "modified" | "removed") => {
    changes[kind] ??= {};
    changes[kind][element] = nodeOf(true, changes[kind][element]) ?? leaf;
  };
  if (before instanceof Duplicates && after instanceof Duplicates) {
    if (!sameJson(before.items, after.items)) mark("modified");
  } else if (before instanceof Duplicates) {
    if (after !== undefined) yield* note(changes, element, schema, undefined, after, pace);
    mark("removed");
  } else {
    if (before !== undefined) yield* note(changes, element, schema, before, undefined, pace);
    mark("added");
  }
}

function changesOfLeaf(before: unknown, after: unknown): Changes | undefined {
  return sameJson(before, after) ? undefined : { modified: leaf };
}

/** Adds the difference between two values at the path element `element`. */
function* note(
  changes: Changes,
  element: string,
  schema: FieldSchema,
  before: unknown,
  after: unknown,
  pace: Pace,
): Phases<void> {
  if (pace.isOver()) yield;
  if (before === undefined) {
    changes.added ??= {};
    changes.added[element] = yield* everyField(schema, after, pace);
    return;
  }
  if (after === undefined) {
    changes.removed ??= {};
    changes.removed[element] = yield* everyField(schema, before, pace);
    return;
  }
  const inner = yield* changesOf(schema, before, after, pace);
  if (!inner) return;
  for (const kind of ["added", "modified", "removed"] as const) {
    const tree = inner[kind];
    if (!tree) continue;
    const all = changes[kind] ?? {};
    all[element] = tree;
    changes[kind] = all;
  }
}

/** Treats null as an empty object or list. */
function containerOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (value === null) return emptySet;
  return isPlainObject(value) ? value : undefined;
}

function own(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function isEmptyObject(object: Readonly<Record<string, unknown>>): boolean {
  for (const _ in object) return false;
  return true;
}
