import type { SchemaNode } from "../fields/schema.ts";
import { isWireList, isWireObject, textOf, type Wire, type WireValue, wireOf } from "../fields/wire.ts";
import { isUnchanged } from "./delta.ts";

/**
 * Returns the proposed cluster. The comparison of a proposed and a stored value ignores the case of IDs and the order of lists.
 * If the two values match, the result has the stored value, so that the stored spelling is kept. If `fills` is true, values that
 * the service computed or defaulted are added if the request omits them. Unchanged read-only values are then removed.
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
  return wireOf(known);
}

function unchangedValue(
  node: SchemaNode,
  proposed: WireValue | undefined,
  stored: WireValue | undefined,
  fills: boolean,
): WireValue | undefined {
  const { filledIn, storedDefault, ignoreCase, readOnly } = node.field;
  if (readOnly) {
    const isRemoved =
      fills && readOnly.sent !== "refused if changed" && isSameReadOnly(node, proposed, stored);
    return isRemoved ? undefined : proposed;
  }
  if (stored === undefined) return proposed;
  const isLeftOut = proposed === undefined || proposed === "";
  const value = isLeftOut && fills && (filledIn || stored === storedDefault) ? stored : proposed;
  if (value === undefined) return undefined;
  if (node.field.type === "text") return ignoreCase && sameText(value, stored) ? stored : value;
  if (isWireList(value) && isWireList(stored)) return unchangedList(node, value, stored, fills);
  if (!isWireObject(value) || !isWireObject(stored)) return value;
  if (node.field.type === "object") return withUnchangedValues(node.members, value, stored, fills);
  return node.field.type === "map" ? unchangedMap(node, value, stored, fills) : value;
}

/** True if a read-only value is unchanged. The comparison ignores the order of lists. */
function isSameReadOnly(
  node: SchemaNode,
  proposed: WireValue | undefined,
  stored: WireValue | undefined,
): boolean {
  const [sent, current] = [proposed, stored].map((value) => (isWireList(value) ? sorted(value) : value));
  return isUnchanged(node, sent, current);
}

function sorted(list: readonly WireValue[]): readonly WireValue[] {
  const keyOf = (element: WireValue) => JSON.stringify(element).toLowerCase();
  return list.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/**
 * Returns the proposed list, in which each unchanged value is replaced by the stored value. If both lists have the same names,
 * the result has the order of the stored list.
 */
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
