import { isPlainObject } from "@keelson/base";
import { atOnce, Pace, type Phases } from "../turns/phases.ts";

/**
 * Set of field paths in the FieldsV1 format (meta/v1), so stored sets need no decoding. Each property name is one element of a
 * path. `f:name` means a field, and `k:{"name":"a"}` means the list item with these key values. `v:"a"` means the set item with
 * this value, and `i:0` means a list index. The path of a node without children is in the set. The path of a node with children
 * is in the set only if the node also has the property `.`.
 */
export interface FieldSet {
  readonly [element: string]: FieldSet;
}

/** Mutable set under construction. */
export interface FieldTree {
  [element: string]: FieldSet;
}

export const emptySet: FieldSet = {};
/** Node of a field that is in the set and has no children. */
export const leaf: FieldSet = {};
const self = ".";

/** True if an object has no properties. */
export function isEmpty(set: Readonly<Record<string, unknown>>): boolean {
  for (const _ in set) return false;
  return true;
}

/** Returns a node for a field. `member` is true if the field itself is in the set. */
export function nodeOf(member: boolean, children: FieldSet | undefined): FieldSet | undefined {
  if (!children || isEmpty(children)) return member ? leaf : undefined;
  return member ? { [self]: leaf, ...children } : children;
}

/** Returns a mutable node. `member` is true if the node itself is in the set. Callers add children without copying the node. */
export function treeOf(member: boolean): FieldTree {
  return member ? { [self]: leaf } : {};
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  return atOnce(unionInPhases(a, b));
}

export function* unionInPhases(a: FieldSet, b: FieldSet, pace = new Pace()): Phases<FieldSet> {
  if (isEmpty(a)) return b;
  if (isEmpty(b)) return a;
  return (yield* unionOfChildren(a, b, false, pace)) ?? emptySet;
}

/**
 * Returns the union of many sets. The two halves of the list are merged recursively, so each set is copied only O(log n) times.
 */
export function unionOf(sets: readonly FieldSet[]): FieldSet {
  return atOnce(unionOfInPhases(sets));
}

export function* unionOfInPhases(sets: readonly FieldSet[], pace = new Pace()): Phases<FieldSet> {
  const [first = emptySet, second] = sets;
  if (second === undefined) return first;
  const half = sets.length >> 1;
  const left = yield* unionOfInPhases(sets.slice(0, half), pace);
  return yield* unionInPhases(left, yield* unionOfInPhases(sets.slice(half), pace), pace);
}

/**
 * Returns the fields in `a` that are not in `b`. A field in `b` removes only itself from the result, and not the fields that are
 * nested in it.
 */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return atOnce(differenceInPhases(a, b));
}

export function* differenceInPhases(a: FieldSet, b: FieldSet): Phases<FieldSet> {
  if (isEmpty(a) || isEmpty(b)) return a;
  return (yield* differenceOfChildren(a, b, false, new Pace())) ?? emptySet;
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  return atOnce(intersectionInPhases(a, b));
}

export function* intersectionInPhases(a: FieldSet, b: FieldSet): Phases<FieldSet> {
  return (yield* intersectionOfChildren(a, b, false, new Pace())) ?? emptySet;
}

/** True if both sets contain the same fields. The order does not matter. */
export function sameSet(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  let count = 0;
  for (const element in a) {
    const [own, other] = [a[element], b[element]];
    if (!own || !other || !sameSet(own, other)) return false;
    count++;
  }
  for (const _ in b) count--;
  return count === 0;
}

/** Lists the paths in the set in kube-apiserver's order. A node's direct fields precede the nested fields. */
export function* pathsOf(
  set: FieldSet,
  prefix: readonly string[] = [],
): Generator<readonly string[], void, undefined> {
  const elements = Object.keys(set)
    .filter((element) => element !== self)
    .sort();
  for (const element of elements) if (isMember(set[element])) yield [...prefix, element];
  for (const element of elements) yield* pathsOf(set[element] ?? emptySet, [...prefix, element]);
}

/** Parses the FieldsV1 of a client. Returns undefined if the value is invalid. */
export function parseFieldSet(value: unknown, depth = 0): FieldSet | undefined {
  if (!isPlainObject(value) || depth > maxDepth) return undefined;
  const tree: FieldTree = {};
  for (const [element, inner] of Object.entries(value)) {
    const parsed = isElement(element) ? parseFieldSet(inner, depth + 1) : undefined;
    if (!parsed) return undefined;
    // A node without children has no property `.` in the canonical form.
    tree[element] = isMember(parsed) ? (nodeOf(true, withoutSelf(parsed)) ?? leaf) : parsed;
  }
  return tree;
}

function withoutSelf({ [self]: _, ...children }: FieldSet): FieldSet {
  return children;
}

const maxDepth = 512;

/** True if the node's own path is in the set. */
export function isMember(node: FieldSet | undefined): boolean {
  return node !== undefined && (self in node || isEmpty(node));
}

function isElement(text: string): boolean {
  if (text === self || text.startsWith("f:")) return true;
  const value = jsonOf(text.slice(2));
  if (text.startsWith("k:")) return isPlainObject(value);
  return text.startsWith("v:") ? value !== undefined : text.startsWith("i:") && Number.isInteger(value);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the union of two trees, or undefined if the result is empty. */
function* unionOfChildren(
  a: FieldSet,
  b: FieldSet,
  member: boolean,
  pace: Pace,
): Phases<FieldSet | undefined> {
  const tree = treeOf(member);
  let none = true;
  for (const element in a) {
    if (pace.isOver()) yield;
    const [own, other] = [a[element], b[element]];
    if (element === self || !own) continue;
    none = false;
    if (!other || own === other) tree[element] = own;
    else {
      const both = isMember(own) || isMember(other);
      tree[element] = (yield* unionOfChildren(own, other, both, pace)) ?? leaf;
    }
  }
  for (const element in b) {
    if (pace.isOver()) yield;
    const other = b[element];
    if (element === self || !other || element in a) continue;
    none = false;
    tree[element] = other;
  }
  return none ? undefined : tree;
}

function* differenceOfChildren(
  a: FieldSet,
  b: FieldSet,
  member: boolean,
  pace: Pace,
): Phases<FieldSet | undefined> {
  const tree = treeOf(member);
  let none = true;
  for (const element in a) {
    if (pace.isOver()) yield;
    const [own, other] = [a[element], b[element]];
    if (element === self || !own) continue;
    let left: FieldSet | undefined = own;
    if (other) {
      const stays = isMember(own) && !isMember(other);
      left = (yield* differenceOfChildren(own, other, stays, pace)) ?? (stays ? leaf : undefined);
    }
    if (!left) continue;
    none = false;
    tree[element] = left;
  }
  return none ? undefined : tree;
}

function* intersectionOfChildren(
  a: FieldSet,
  b: FieldSet,
  member: boolean,
  pace: Pace,
): Phases<FieldSet | undefined> {
  const tree = treeOf(member);
  let none = true;
  for (const element in a) {
    if (pace.isOver()) yield;
    const [own, other] = [a[element], b[element]];
    if (element === self || !own || !other) continue;
    const both = isMember(own) && isMember(other);
    const shared = (yield* intersectionOfChildren(own, other, both, pace)) ?? (both ? leaf : undefined);
    if (!shared) continue;
    none = false;
    tree[element] = shared;
  }
  return none ? undefined : tree;
}
