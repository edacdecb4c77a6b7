import type { Meter } from "./meter.ts";
import {
  elementsOf,
  isError,
  type ListValue,
  type MapValue,
  type ObjectValue,
  type Result,
  type Value,
} from "./value.ts";

/** Whether two values are equal: numbers by their value whatever their type, values of different types never. */
export function equals(a: Result, b: Result, meter: Meter): boolean {
  if (typeof a === "string" && typeof b === "string") {
    meter.spend(Math.min(a.length, b.length) * 0.1);
    return a === b;
  }
  if (a === null || b === null || typeof a === "boolean" || typeof b === "boolean") return a === b;
  const left = numberOf(a);
  const right = numberOf(b);
  // Loosely, a bigint equals the number of its value, exactly.
  // biome-ignore lint/suspicious/noDoubleEquals: the comparison across number types is what is wanted.
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
      return b.kind === "bytes" && Buffer.compare(a.bytes, b.bytes) === 0;
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

/** The elements of a set or a map list by what identifies them; `undefined` when they have no identity. */
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

/** Below, at or above zero as `a` is before, equal to or after `b`; `undefined` for values without an order. */
export function compare(a: Value, b: Value): number | undefined {
  if (a === null || b === null) return undefined;
  const left = numberOf(a);
  const right = numberOf(b);
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

/** Of numbers that are neither below nor above each other: NaN has no order. */
function looseOrder(a: bigint | number, b: bigint | number): number | undefined {
  return Number.isNaN(a) || Number.isNaN(b) ? undefined : 0;
}
