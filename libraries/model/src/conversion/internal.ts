import { isPlainObject, Secret } from "@keelson/base";
import type { ApiVersion } from "../api-versions/version.ts";
import type { OpenShiftCluster } from "../cluster/open-shift-cluster.ts";
import type { SchemaNode } from "../fields/schema.ts";
import { isWireList, isWireObject, type Wire, type WireValue } from "../fields/wire.ts";

type Stored = Record<string, unknown>;

/**
 * Writes the fields of a version to a stored cluster. All other data is preserved: fields that only other versions have, unknown
 * fields, and internal fields of the service.
 */
export function writeCluster(version: ApiVersion, wire: Wire, current: object): OpenShiftCluster {
  // The cast is safe. The schema describes this document type, and the overlay has validated the types of all fields.
  return writeMembers(version.fields, wire, { ...current }) as unknown as OpenShiftCluster;
}

function writeMembers(nodes: readonly SchemaNode[], wire: Wire, current: Stored): Stored {
  const written: Stored = { ...current };
  for (const node of nodes) {
    if (node.field.readOnly || node.field.requestOnly) continue;
    const name = node.field.internalName ?? node.name;
    const value = writeField(node, wire[node.name], current[name]);
    if (value === undefined) delete written[name];
    else written[name] = value;
  }
  return written;
}

/** Returns the value to store. Undefined for zero values, which are not stored. */
function writeField(node: SchemaNode, value: WireValue | undefined, current: unknown): unknown {
  if (node.field.type === "object" && !isWireObject(value) && isPlainObject(current)) {
    // Clients can remove an optional object. All other objects are preserved, because they contain data of the service.
    return node.field.presence === "optional" ? undefined : current;
  }
  if (value === undefined || value === "" || value === 0) return undefined;
  if (isWireList(value)) return value.map((element, i) => writeElement(node, element, elementOf(current, i)));
  if (!isWireObject(value)) return node.field.secret ? asSecret(value, current) : value;
  if (node.field.type === "object") {
    if (isPlainObject(current)) return writeMembers(node.members, value, current);
    const written = writeMembers(node.members, value, {});
    return node.field.presence !== "optional" && Object.keys(written).length === 0 ? undefined : written;
  }
  return writeMap(node, value, isPlainObject(current) ? current : {});
}

function writeElement(node: SchemaNode, value: WireValue, current: unknown): unknown {
  if (!isWireObject(value)) return value;
  return writeMembers(node.members, value, isPlainObject(current) ? current : {});
}

function writeMap(node: SchemaNode, wire: Wire, current: Stored): Stored | undefined {
  const entries = Object.entries(wire);
  if (entries.length === 0 && node.field.type === "text map") return undefined;
  return Object.fromEntries(
    entries.map(([key, value]) => [key, writeElement(node, value, entryFor(node, value, current, key))]),
  );
}

/** Returns the stored data of a list entry. Undefined if the proposed entry has a different identity from the stored entry. */
function entryFor(node: SchemaNode, value: WireValue, current: Stored, key: string): unknown {
  const entry = Object.hasOwn(current, key) ? current[key] : undefined;
  const { identifiedBy } = node.field;
  if (!identifiedBy || !isPlainObject(entry) || !isWireObject(value)) return entry;
  return entry[identifiedBy] === value[identifiedBy] ? entry : undefined;
}

function elementOf(list: unknown, index: number): unknown {
  return Array.isArray(list) ? list[index] : undefined;
}

function asSecret(value: WireValue, current: unknown): Secret | undefined {
  if (typeof value !== "string") return undefined;
  const secret = new Secret(value);
  return current instanceof Secret && current.equals(secret) ? current : secret;
}
