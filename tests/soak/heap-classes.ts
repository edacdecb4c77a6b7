import { readFileSync } from "node:fs";

/** Number and total shallow size of the objects in one class. */
export interface ClassSize {
  readonly count: number;
  readonly bytes: number;
}

interface Snapshot {
  readonly snapshot: {
    readonly meta: { readonly node_fields: readonly string[]; readonly node_types: readonly unknown[] };
  };
  readonly nodes: readonly number[];
  readonly strings: readonly string[];
}

/**
 * Heap node types with the class name as their name. Nodes of other types, for example strings, have their content as the name.
 */
const named = new Set(["object", "closure", "native", "code", "hidden", "synthetic", "object shape"]);

/**
 * Reads the classes in a V8 heap snapshot. Keys consist of type and constructor, for example `object Map`. All strings form one
 * class, and all arrays form a second class.
 */
export function heapClasses(file: string): ReadonlyMap<string, ClassSize> {
  const { snapshot, nodes, strings }: Snapshot = JSON.parse(readFileSync(file, "utf8"));
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, name, size] = ["type", "name", "self_size"].map((field) => fields.indexOf(field));
  const typeNames: readonly string[] = Object(types[type ?? 0]);
  const classes = new Map<string, { count: number; bytes: number }>();
  for (let at = 0; at < nodes.length; at += fields.length) {
    const value = (field = 0) => nodes[at + field] ?? 0;
    const typeName = typeNames[value(type)] ?? "";
    const key = named.has(typeName) ? `${typeName} ${strings[value(name)]?.slice(0, 80)}` : typeName;
    const found = classes.get(key) ?? { count: 0, bytes: 0 };
    found.count++;
    found.bytes += value(size);
    classes.set(key, found);
  }
  return classes;
}

export interface ClassGrowth extends ClassSize {
  readonly name: string;
}

/** Returns the growth of each class between two snapshots, largest first. */
export function classGrowth(
  before: ReadonlyMap<string, ClassSize>,
  after: ReadonlyMap<string, ClassSize>,
): readonly ClassGrowth[] {
  return [...after]
    .map(([name, { count, bytes }]) => {
      const first = before.get(name) ?? { count: 0, bytes: 0 };
      return { name, count: count - first.count, bytes: bytes - first.bytes };
    })
    .filter(({ count, bytes }) => count !== 0 || bytes !== 0)
    .toSorted((a, b) => b.bytes - a.bytes);
}
