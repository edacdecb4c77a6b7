import type { Meter } from "./meter.ts";
import {
  elementsOf,
  isError,
  type ListValue,
  type MapValue,
  type ObjectValue,
  type Result,
  sizeOf,
  type Value,
} from "./value.ts";

/**
 * True if two values are equal. Numbers of different types are compared by value. All other values of different types are
 * unequal.
 */
export function equals(a: Result, b: Result, meter: Meter): boolean {
  if (typeof a === "string" && typeof b === "string") {
    meter.spend(Math.min(a.length, b.length) * 0.1);
    return a === b;
  }
  if (a === null || b === null || typeof a === "boolean" || typeof b === "boolean") return a === b;
  const left = numberOf(a);
  const right = numberOf(b);
  // Loose equality compares a bigint exactly with a number.
  // biome-ignore lint/suspicious/noDoubleEquals: compares across number types.
  if (left !== undefined || right !== undefined) return left !== undefined && left == right;
  if (typeof a !== "object" || typeof b !== "object") return false;
  meter.spend(1);
  if (a.kind === "map" || a.kind === "object") {
    return (b.kind === "map" || b.kind === "object") && equalEntries(a, b, meter);
  }
  if (a.kind !== b.kind) return false;
  switch (a.kind) {
    case "list":
      return b.kind === "list" && equalLists(a, b, meter);
    case "bytes":
      if (b.kind !== "bytes") return false;
      meter.spend(Math.min(a.bytes.length, b.bytes.length) * 0.1);
      return Buffer.compare(a.bytes, b.bytes) === 0;
    case "timestamp":
    case "duration":
      return b.kind === a.kind && a.nanos === b.nanos;
    case "type":
      return b.kind === "type" && a.name === b.name;
    case "opaque":
      return b.kind === "opaque" && a.typeName === b.typeName && a.key === b.key;
    case "optional":
      if (b.kind !== "optional") return false;
      if (a.value === undefined || b.value === undefined) return a.value === b.value;
      return equals(a.value, b.value, meter);
    default:
      return false;
  }
}

function numberOf(value: Exclude<Result, null>): bigint | number | undefined {
  if (typeof value === "bigint" || typeof value === "number") return value;
  return typeof value === "object" && value.kind === "uint" ? value.value : undefined;
}

function equalLists(a: ListValue, b: ListValue, meter: Meter): boolean {
  if (a.size !== b.size) return false;
  const shape = a.shape ?? b.shape;
  if (shape) {
    const left = keyed(a, meter);
    const right = keyed(b, meter);
    if (left && right) {
      return [...left].every(([key, each]) => right.has(key) && equals(each, right.get(key) ?? null, meter));
    }
  }
  for (let at = 0; at < a.size; at++) {
    meter.spend(1);
    if (!equals(a.at(at), b.at(at), meter)) return false;
  }
  return true;
}

/** Returns the elements of a set or map list by identity. Returns undefined if an element has no identity. */
export function keyed(list: ListValue, meter: Meter): ReadonlyMap<string, Value> | undefined {
  const elements = elementsOf(list);
  if (!Array.isArray(elements)) return undefined;
  const found = new Map<string, Value>();
  for (const element of elements) {
    meter.spend(1);
    const key = identityOf(list, element);
    if (key === undefined) return undefined;
    found.set(key, element);
  }
  return found.size === list.size ? found : undefined;
}

export function identityOf({ shape }: ListValue, element: Value): string | undefined {
  if (shape?.kind !== "map") return scalarText(element);
  if (typeof element !== "object" || element === null) return undefined;
  if (element.kind !== "object" && element.kind !== "map") return undefined;
  const parts = shape.keys.map((key) => {
    const member = element.get(key);
    return member === undefined || isError(member) ? "" : (scalarText(member) ?? "");
  });
  return JSON.stringify(parts);
}

function scalarText(value: Value): string | undefined {
  if (typeof value === "object" && value !== null) return undefined;
  return `${typeof value === "string" ? "s" : "v"}${String(value)}`;
}

function equalEntries(a: MapValue | ObjectValue, b: MapValue | ObjectValue, meter: Meter): boolean {
  const names = a.kind === "map" ? a.keys() : a.fields();
  const count = b.kind === "map" ? b.size : b.fields().length;
  if (names.length !== count) return false;
  return names.every((name) => {
    meter.spend(1);
    const left = entryOf(a, name);
    const right = entryOf(b, name);
    return left !== undefined && right !== undefined && equals(left, right, meter);
  });
}

function entryOf(value: MapValue | ObjectValue, name: Value): Result | undefined {
  if (value.kind === "map") return value.get(name);
  return typeof name === "string" ? value.get(name) : undefined;
}

/**
 * Compares like `compare` and counts the work. Functions use it if their CEL cost does not depend on the length of the strings.
 */
export function compareMetered(a: Value, b: Value, meter: Meter): number | undefined {
  meter.work(1 + Math.min(sizeOf(a), sizeOf(b)) * 0.1);
  return compare(a, b);
}

/**
 * Returns a negative number, zero or a positive number if `a` is less than, equal to or greater than `b`. Returns undefined for
 * values without an order.
 */
export function compare(a: Value, b: Value): number | undefined {
  if (a === null || b === null) return undefined;
  const left = numberOf(a);
  const right = numberOf(b);
  if (typeof left === "bigint" && typeof right === "number") return compareWithDouble(left, right);
  if (typeof left === "number" && typeof right === "bigint") {
    const order = compareWithDouble(right, left);
    return order === undefined ? undefined : 0 - order;
  }
  if (left !== undefined && right !== undefined)
    return left < right ? -1 : left > right ? 1 : left === right ? 0 : looseOrder(left, right);
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  if (typeof a !== "object" || typeof b !== "object") return undefined;
  if ((a.kind === "timestamp" || a.kind === "duration") && b.kind === a.kind) {
    return a.nanos < b.nanos ? -1 : Number(a.nanos > b.nanos);
  }
  if (a.kind === "bytes" && b.kind === "bytes") return Buffer.compare(a.bytes, b.bytes);
  return undefined;
}

/** Compares an integer with a double. Like cel-go, converts the integer to a double, even if this is inexact. */
function compareWithDouble(whole: bigint, value: number): number | undefined {
  if (Number.isNaN(value)) return undefined;
  const left = Number(whole);
  return left < value ? -1 : Number(left > value);
}

/** Returns 0 for equal numbers, and undefined if one is NaN. */
function looseOrder(a: bigint | number, b: bigint | number): number | undefined {
  return Number.isNaN(a) || Number.isNaN(b) ? undefined : 0;
}

/**
 * Returns a string that identifies a value: equal values have equal strings. Undefined for values such as NaN that equal no
 * value. Comparing strings avoids a quadratic number of comparisons between list elements.
 */
export function canonicalText(value: Result, meter: Meter): string | undefined {
  meter.spend(1);
  const number = value === null ? undefined : numberOf(value);
  if (number !== undefined) return numberText(number);
  if (typeof value === "string") {
    meter.spend(value.length * 0.1);
    return JSON.stringify(value);
  }
  if (value === null || typeof value !== "object") return String(value);
  switch (value.kind) {
    case "list":
      return listText(value, meter);
    case "map":
    case "object": {
      const names: readonly Value[] = value.kind === "map" ? value.keys() : value.fields();
      const entries = texts(names, (name) => {
        const member = canonicalText(entryOf(value, name) ?? null, meter);
        return member === undefined ? undefined : `${canonicalText(name, meter)}:${member}`;
      });
      return entries && `{${entries.sort().join()}}`;
    }
    case "bytes":
      meter.spend(value.bytes.length * 0.1);
      return `b${Buffer.from(value.bytes).toString("base64")}`;
    case "timestamp":
    case "duration":
      return `${value.kind}${value.nanos}`;
    case "type":
      return `type${JSON.stringify(value.name)}`;
    case "opaque":
      return `${value.typeName}${JSON.stringify(value.key)}`;
    case "optional": {
      if (value.value === undefined) return "none";
      const content = canonicalText(value.value, meter);
      return content === undefined ? undefined : `some(${content})`;
    }
    default:
      return undefined;
  }
}

function numberText(value: bigint | number): string | undefined {
  if (Number.isNaN(value)) return undefined;
  return String(Number.isInteger(value) ? BigInt(value) : value);
}

/**
 * Returns a string that identifies a list. For set and map lists, the string does not depend on the order of the elements.
 * Undefined if an element has no such string.
 */
function listText(list: ListValue, meter: Meter): string | undefined {
  const elements = elementsOf(list);
  if ("kind" in elements) return undefined;
  const found = texts(elements, (element) => canonicalText(element, meter));
  const unordered = list.shape && keyed(list, meter) !== undefined;
  return found && `[${(unordered ? found.sort() : found).join()}]`;
}

function texts<T>(all: readonly T[], textOf: (each: T) => string | undefined): string[] | undefined {
  const found: string[] = [];
  for (const each of all) {
    const text = textOf(each);
    if (text === undefined) return undefined;
    found.push(text);
  }
  return found;
}
