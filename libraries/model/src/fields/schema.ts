import type { Field } from "./field.ts";

/** Field with its child fields. The children are the fields of an object, of a list's elements, or of a map's values. */
export interface SchemaNode {
  readonly field: Field;
  /** Last segment of the field's path. */
  readonly name: string;
  readonly members: readonly SchemaNode[];
}

/** Builds the tree of a version's fields. Fields with the same parent keep their order. */
export function buildSchema(fields: readonly Field[]): readonly SchemaNode[] {
  const root: MutableNode[] = [];
  const byPath = new Map<string, MutableNode[]>([["", root]]);
  for (const field of fields) {
    const path = field.path.replace(/\[\]|\{\}/g, "");
    const end = path.lastIndexOf(".");
    const siblings = byPath.get(path.slice(0, Math.max(end, 0)));
    if (!siblings) continue; // if the parent is missing, the version also lacks its children
    const node: MutableNode = { field, name: path.slice(end + 1), members: [] };
    siblings.push(node);
    byPath.set(path, node.members);
  }
  return root;
}

interface MutableNode {
  readonly field: Field;
  readonly name: string;
  readonly members: MutableNode[];
}

/**
 * Returns the tree with reordered siblings. For each parent path, `order` contains the names that come first. All remaining names
 * follow in their previous order.
 */
export function reorder(
  nodes: readonly SchemaNode[],
  order: Readonly<Record<string, string>>,
  parent = "",
): readonly SchemaNode[] {
  const names = order[parent]?.split(" ") ?? [];
  const rank = (node: SchemaNode) => {
    const index = names.indexOf(node.name);
    return index < 0 ? names.length : index;
  };
  return nodes
    .toSorted((a, b) => rank(a) - rank(b))
    .map((node) => ({ ...node, members: reorder(node.members, order, node.field.path) }));
}
