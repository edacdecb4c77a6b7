import { isPlainObject } from "@keelson/base";
import { sameJson } from "../json/same-json.ts";
import { type FieldSet, parseFieldSet } from "./field-set.ts";

/** Field manager and the fields that it manages (meta/v1 ManagedFieldsEntry). */
export interface ManagedFieldsEntry {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  /** API version of the field names in `fieldsV1`. */
  readonly apiVersion: string;
  /** RFC 3339 time with a precision of seconds. */
  readonly time?: string;
  readonly fieldsType: "FieldsV1";
  readonly fieldsV1: FieldSet;
  /** Subresource of the write. Undefined for a write of the main resource. */
  readonly subresource?: string;
}

/** Field manager of a write, with API version and subresource. */
export interface Writer {
  readonly manager: string;
  /** Written subresource. Empty for a write of the main resource. */
  readonly subresource: string;
  readonly apiVersion: string;
  /** RFC 3339 time with a precision of seconds. */
  readonly now: string;
}

/** Returns the key that identifies an entry. The key contains the API version, except for entries of the operation Apply. */
export function identityOf({ manager, operation, apiVersion, subresource = "" }: ManagedFieldsEntry): string {
  return JSON.stringify([operation, operation === "Apply" ? "" : apiVersion, subresource, manager]);
}

export function entryOf(
  { manager, apiVersion, now, subresource }: Writer,
  operation: ManagedFieldsEntry["operation"],
  fields: FieldSet,
): ManagedFieldsEntry {
  return {
    manager,
    operation,
    apiVersion,
    time: now,
    fieldsType: "FieldsV1",
    fieldsV1: fields,
    ...(subresource ? { subresource } : {}),
  };
}

/**
 * Returns the managed-fields entries from which an update starts: the entries in the client's object. If they are missing or
 * invalid, the stored entries are used. If the client sends `[{}]`, the result is empty.
 */
export function managersSent(
  sent: unknown,
  live: readonly ManagedFieldsEntry[],
): readonly ManagedFieldsEntry[] {
  if (!Array.isArray(sent) || sent.length === 0 || sameJson(sent, live)) return live;
  if (sent.length === 1 && isPlainObject(sent[0]) && Object.keys(sent[0]).length === 0) return [];
  const byIdentity = new Map<string, ManagedFieldsEntry>();
  for (const each of sent) {
    const entry = live.find((known) => known === each) ?? parseEntry(each);
    if (!entry) return live;
    byIdentity.set(identityOf(entry), entry);
  }
  return inOrder([...byIdentity.values()]);
}

/**
 * Sorts entries. Entries of the operation Apply come first, and each operation's entries are sorted by time and name. The current
 * write's entry counts as newer than stored entries of the same second. This matches the order in kube-apiserver, which sorts the
 * entries before it truncates the times to seconds.
 */
export function inOrder(
  entries: readonly ManagedFieldsEntry[],
  written?: ManagedFieldsEntry,
): readonly ManagedFieldsEntry[] {
  if (entries.length < 2) return entries;
  const order = (entry: ManagedFieldsEntry) => orderOf(entry, entry === written);
  return entries.toSorted((a, b) => compareTexts(order(a), order(b)));
}

function orderOf(
  { operation, time, manager, apiVersion, subresource }: ManagedFieldsEntry,
  isWritten: boolean,
): string {
  return [operation, time, isWritten ? "1" : "0", manager, apiVersion, subresource].join("\0");
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function parseEntry(value: unknown): ManagedFieldsEntry | undefined {
  if (!isPlainObject(value)) return undefined;
  const { manager = "", operation, apiVersion, time, subresource = "" } = value;
  const fields = parseFieldSet(value.fieldsV1);
  if ((operation !== "Apply" && operation !== "Update") || value.fieldsType !== "FieldsV1") return undefined;
  if (!fields || typeof apiVersion !== "string" || typeof manager !== "string") return undefined;
  if (typeof subresource !== "string" || (time !== undefined && typeof time !== "string")) return undefined;
  const entry = entryOf({ manager, apiVersion, now: time ?? "", subresource }, operation, fields);
  const { time: _, ...timeless } = entry;
  return time ? entry : timeless;
}
