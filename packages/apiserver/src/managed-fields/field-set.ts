import { isPlainObject } from "@keelson/base";

/**
 * A set of fields in the form of FieldsV1 (meta/v1), which is also how it is worked with: what is stored needs no
 * decoding. A member of the tree is a path element: `f:name` a field, `k:{"name":"a"}` the item of a list with these
 * keys, `v:"a"` an item of a set, `i:0` an index. A node without children is in the set; one with children is in the
 * set if it also has `.`.
 */
export interface FieldSet {
  readonly [element: string]: FieldSet;
}

/** A set on its way. */
export interface FieldTree {
  [element: string]: FieldSet;
}

export const emptySet: FieldSet = {};
/** A field in the set, with nothing below it. */
export const leaf: FieldSet = {};
const self = ".";

/** Whether an object has no members. */
export function isEmpty(set: Readonly<Record<string, unknown>>): boolean {
  for (const _ in set) return false;
  return true;
}

/** A node that is in the set or not, with `children` or without. */
export function nodeOf(member: boolean, children: FieldSet | undefined): FieldSet | undefined {
  if (!children || isEmpty(children)) return member ? leaf : undefined;
  return member ? { [self]: leaf, ...children } : children;
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmpty(a)) return b;
  if (isEmpty(b)) return a;
  return unionOfChildren(a, b);
}

/** The union of many sets: halves are joined, so that no set is copied more often than the logarithm of their number. */
export function unionOf(sets: readonly FieldSet[]): FieldSet {
  const [first = emptySet, second] = sets;
  if (second === undefined) return first;
  const half = sets.length >> 1;
  return union(unionOf(sets.slice(0, half)), unionOf(sets.slice(half)));
}

/** What is in `a` and not in `b`. A field that `b` has does not take along what is below it. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmpty(a) || isEmpty(b)) return a;
  return differenceOfChildren(a, b) ?? emptySet;
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  return intersectionOfChildren(a, b) ?? emptySet;
}

/** Whether both hold the same fields, in whatever order. */
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

/** The paths in the set, in the order of the API server: at each node first the fields that are in the set themselves. */
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

/** FieldsV1 as somebody sent it. `undefined` when it is none. */
export function parseFieldSet(value: unknown, depth = 0): FieldSet | undefined {
  if (!isPlainObject(value) || depth > maxDepth) return undefined;
  const tree: FieldTree = {};
  for (const [element, inner] of Object.entries(value)) {
    const parsed = isElement(element) ? parseFieldSet(inner, depth + 1) : undefined;
    if (!parsed) return undefined;
    // A node has one form: without children the dot says nothing.
    tree[element] = isMember(parsed) ? (nodeOf(true, withoutSelf(parsed)) ?? leaf) : parsed;
  }
  return tree;
}

function withoutSelf({ [self]: _, ...children }: FieldSet): FieldSet {
  return children;
}

const maxDepth = 512;

/** Whether a node is itself in the set. */
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

function unionOfNodes(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  return nodeOf(isMember(a) || isMember(b), unionOfChildren(a, b)) ?? leaf;
}

function unionOfChildren(a: FieldSet, b: FieldSet): FieldSet {
  const tree: FieldTree = {};
  for (const element in a) {
    const [own, other] = [a[element], b[element]];
    if (element !== self && own) tree[element] = other ? unionOfNodes(own, other) : own;
  }
  for (const element in b) {
    const other = b[element];
    if (element !== self && other && !(element in a)) tree[element] = other;
  }
  return tree;
}

function differenceOfChildren(a: FieldSet, b: FieldSet): FieldSet | undefined {
  const tree: FieldTree = {};
  for (const element in a) {
    const [own, other] = [a[element], b[element]];
    if (element === self || !own) continue;
    const left = other ? nodeOf(isMember(own) && !isMember(other), differenceOfChildren(own, other)) : own;
    if (left) tree[element] = left;
  }
  return isEmpty(tree) ? undefined : tree;
}

function intersectionOfChildren(a: FieldSet, b: FieldSet): FieldSet | undefined {
  const tree: FieldTree = {};
  for (const element in a) {
    const [own, other] = [a[element], b[element]];
    if (element === self || !own || !other) continue;
    const both = nodeOf(isMember(own) && isMember(other), intersectionOfChildren(own, other));
    if (both) tree[element] = both;
  }
  return isEmpty(tree) ? undefined : tree;
}
