import { isPlainObject } from "@keelson/base";
import type { ApiVersion, Models } from "../api-versions/version.ts";
import { malformed } from "../bodies/malformed.ts";
import type { SchemaNode } from "../fields/schema.ts";
import { isWireList, isWireObject, type Wire, type WireValue, wireOf } from "../fields/wire.ts";

/**
 * Merges a request body into `base` like the reference service's JSON decoder. Missing properties keep the value of `base`,
 * objects are merged, and unknown properties are ignored. List elements are merged by index, and the result has as many elements
 * as the body's list.
 * @throws CloudError InvalidRequestContent with the path of a property that has the wrong JSON type. The message contains no
 * values, because they may be secrets.
 */
export function overlay(version: ApiVersion, base: Wire, body: unknown): Wire {
  if (!isPlainObject(body)) throw malformed("", "an object", body);
  return overlayMembers(version.fields, base, body, "", version.models);
}

/**
 * Returns a base for `overlay` that contains no read-only values. In the result of `overlay`, read-only values therefore come
 * only from the body.
 */
export function withoutReadOnly(nodes: readonly SchemaNode[], wire: Wire): Wire {
  return wireOf(
    nodes
      .filter((node) => !node.field.readOnly)
      .map((node) => [node.name, withoutReadOnlyBelow(node, wire[node.name])]),
  );
}

function withoutReadOnlyBelow(node: SchemaNode, value: WireValue | undefined): WireValue | undefined {
  if (node.members.length === 0) return value;
  const strip = (element: WireValue) =>
    isWireObject(element) ? withoutReadOnly(node.members, element) : element;
  if (isWireList(value)) return value.map(strip);
  if (!isWireObject(value)) return value;
  if (node.field.type === "map")
    return wireOf(Object.entries(value).map(([key, entry]) => [key, strip(entry)]));
  return strip(value);
}

function overlayMembers(
  nodes: readonly SchemaNode[],
  base: Wire,
  body: Record<string, unknown>,
  path: string,
  models: Models,
): Wire {
  // The assignment cannot change the prototype, because the property names come from the schema.
  const merged: Record<string, WireValue> = { ...base };
  for (const key of Object.keys(body)) {
    const node = findMember(nodes, key, models);
    if (!node) continue;
    const { name } = node;
    const value = overlayField(node, merged[name], body[key], path === "" ? name : `${path}.${name}`, models);
    if (value === undefined) delete merged[name];
    else merged[name] = value;
  }
  return merged;
}

function findMember(nodes: readonly SchemaNode[], key: string, models: Models): SchemaNode | undefined {
  const exact = nodes.find((node) => node.name === key);
  if (exact || models === "generated") return exact;
  const folded = key.toLowerCase();
  return nodes.find((node) => node.name.toLowerCase() === folded);
}

function overlayField(
  node: SchemaNode,
  base: WireValue | undefined,
  body: unknown,
  at: string,
  models: Models,
): WireValue | undefined {
  if (body === null) return overlayNull(node, base, models);
  switch (node.field.type) {
    case "text":
      if (typeof body !== "string") throw malformed(at, "a string", body);
      return body;
    case "time":
      if (typeof body !== "string" || !isTime(body)) throw malformed(at, "an RFC 3339 time", body);
      return body;
    case "integer":
      if (typeof body !== "number" || !isInteger(body, models)) throw malformed(at, "an integer", body);
      return body;
    case "boolean":
      if (typeof body !== "boolean") throw malformed(at, "a boolean", body);
      return body;
    case "object":
      if (!isPlainObject(body)) throw malformed(at, "an object", body);
      return overlayMembers(node.members, isWireObject(base) ? base : {}, body, at, models);
    case "list":
      if (!Array.isArray(body)) throw malformed(at, "an array", body);
      return overlayList(node, isWireList(base) ? base : [], body, at, models);
    case "map":
    case "text map":
      if (!isPlainObject(body)) throw malformed(at, "an object", body);
      return overlayMap(node, isWireObject(base) ? base : {}, body, at, models);
  }
}

function overlayNull(node: SchemaNode, base: WireValue | undefined, models: Models): WireValue | undefined {
  const { type, presence, replacedWhole } = node.field;
  if (replacedWhole === "always") return undefined;
  if (models === "generated") return base;
  const emptied =
    type === "list" ||
    type === "map" ||
    type === "text map" ||
    (type === "object" && presence === "optional");
  return emptied ? undefined : base;
}

function overlayList(
  node: SchemaNode,
  base: readonly WireValue[],
  body: readonly unknown[],
  at: string,
  models: Models,
): readonly WireValue[] {
  return body.map((element, index) => {
    const current = base[index];
    const merged = isWireObject(current) ? current : {};
    if (element === null) return models === "generated" ? {} : merged;
    if (!isPlainObject(element)) throw malformed(`${at}[${index}]`, "an object", element);
    return overlayMembers(node.members, merged, element, `${at}[${index}]`, models);
  });
}

function overlayMap(
  node: SchemaNode,
  base: Wire,
  body: Record<string, unknown>,
  at: string,
  models: Models,
): Wire {
  const entries = Object.entries(body).map(([key, value]): [string, WireValue] => {
    const entryAt = `${at}[${JSON.stringify(key)}]`;
    if (node.field.type === "text map") {
      if (value !== null && typeof value !== "string") throw malformed(entryAt, "a string", value);
      return [key, value ?? ""];
    }
    if (value !== null && !isPlainObject(value)) throw malformed(entryAt, "an object", value);
    return [key, overlayMembers(node.members, {}, value ?? {}, entryAt, models)];
  });
  const { replacedWhole } = node.field;
  const replaced = replacedWhole === "always" || (replacedWhole === "when not empty" && entries.length > 0);
  return wireOf(replaced ? entries : [...Object.entries(base), ...entries]);
}

/** True for a valid time. The regular expression alone would accept the month 13. */
function isTime(text: string): boolean {
  return rfc3339.test(text) && !Number.isNaN(Date.parse(text.toUpperCase()));
}

const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;
const maxInt32 = 2 ** 31 - 1;

/**
 * True for an integer in range. Generated models use 32-bit integers, and hand-written models use 64-bit integers. JSON numbers
 * above 2^53 are rejected, because they lose precision.
 */
function isInteger(value: number, models: Models): boolean {
  if (!Number.isSafeInteger(value)) return false;
  return models === "hand-written" || (value >= -maxInt32 - 1 && value <= maxInt32);
}
