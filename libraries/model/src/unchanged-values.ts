import type { SchemaNode } from "./schema.ts";
import { isWireList, isWireObject, textOf, type Wire, type WireValue, wireOf } from "./wire.ts";

/**
 * The proposed cluster with the stored form of each value that is equal to the stored one. Equal are IDs in another case and lists in
 * another order. `fills` adds values left out that the service fills in.
 */
export function withUnchangedValues(
  nodes: readonly SchemaNode[],
  proposed: Wire,
  stored: Wire,
  fills: boolean,
): Wire {
  const known = nodes.map((node): [string, WireValue | undefined] => [
    node.name,
    unchangedValue(node, proposed[node.name], stored[node.name], fills),
  ]);
  return { ...proposed, ...wireOf(known) };
}

function unchangedValue(
  node: SchemaNode,
  proposed: WireValue | undefined,
  stored: WireValue | undefined,
  fills: boolean,
): WireValue | undefined {
  const { filledIn, storedDefault, ignoreCase, readOnly } = node.field;
  if (stored === undefined || readOnly) return proposed;
  if (proposed === undefined || proposed === "")
    return fills && (filledIn || stored === storedDefault) ? stored : proposed;
  switch (node.field.type) {
    case "text":
      return ignoreCase && sameText(proposed, stored) ? stored : proposed;
    case "object":
      return isWireObject(proposed) && isWireObject(stored)
        ? withUnchangedValues(node.members, proposed, stored, fills)
        : proposed;
    case "list":
      return isWireList(proposed) && isWireList(stored)
        ? unchangedList(node, proposed, stored, fills)
        : proposed;
    case "map":
      return isWireObject(proposed) && isWireObject(stored)
        ? unchangedMap(node, proposed, stored, fills)
        : proposed;
    default:
      return proposed;
  }
}

/** Lists whose elements have names are sets. They get the stored order if they have the stored names. */
function unchangedList(
  node: SchemaNode,
  proposed: readonly WireValue[],
  stored: readonly WireValue[],
  fills: boolean,
): readonly WireValue[] {
  const names = stored.map(nameOf);
  const positions = proposed.map((element) => names.indexOf(nameOf(element)));
  const isSameSet = positions.length === names.length && new Set(positions).size === names.length;
  const ordered =
    isSameSet && !positions.includes(-1)
      ? proposed.toSorted((a, b) => names.indexOf(nameOf(a)) - names.indexOf(nameOf(b)))
      : proposed;
  return ordered.map((element, at) => {
    const current = stored[at];
    return isWireObject(element) && isWireObject(current)
      ? withUnchangedValues(node.members, element, current, fills)
      : element;
  });
}

function unchangedMap(node: SchemaNode, proposed: Wire, stored: Wire, fills: boolean): Wire {
  const keys = new Map(Object.keys(stored).map((key) => [key.toLowerCase(), key]));
  return wireOf(
    Object.entries(proposed).map(([key, value]) => {
      const storedKey = node.field.ignoreCase ? (keys.get(key.toLowerCase()) ?? key) : key;
      const current = Object.hasOwn(stored, storedKey) ? stored[storedKey] : undefined;
      const isComparable = isWireObject(value) && isWireObject(current);
      return [storedKey, isComparable ? withUnchangedValues(node.members, value, current, fills) : value];
    }),
  );
}

function nameOf(element: WireValue): string {
  return isWireObject(element) ? textOf(element.name) : "";
}

function sameText(a: WireValue, b: WireValue): boolean {
  return textOf(a).toLowerCase() === textOf(b).toLowerCase();
}
