/** Value of the Common Expression Language. Doubles are numbers, ints are bigints, and uints are boxed. */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | UintValue
  | BytesValue
  | TimestampValue
  | DurationValue
  | ListValue
  | MapValue
  | ObjectValue
  | OptionalValue
  | TypeValue
  | OpaqueValue;

/** Result of an evaluation. Errors are values, because `&&`, `||` and some macros may discard them. */
export type Result = Value | ErrorValue;

export interface ErrorValue {
  readonly kind: "error";
  readonly message: string;
}

export interface UintValue {
  readonly kind: "uint";
  readonly value: bigint;
}

export interface BytesValue {
  readonly kind: "bytes";
  readonly bytes: Uint8Array;
}

export interface TimestampValue {
  readonly kind: "timestamp";
  /** Nanoseconds since 1970-01-01T00:00:00Z. */
  readonly nanos: bigint;
}

export interface DurationValue {
  readonly kind: "duration";
  readonly nanos: bigint;
}

/**
 * List type of a custom resource. It determines how lists are compared. Lists of type `set` have no order. Elements of `map`
 * lists are matched by their keys.
 */
export type ListShape = { readonly kind: "set" } | { readonly kind: "map"; readonly keys: readonly string[] };

export interface ListValue {
  readonly kind: "list";
  readonly size: number;
  /** Returns the element at an index below `size`. */
  at(position: number): Result;
  /** List type, which determines equality and `+`. Lists without a list type are compared in order. */
  readonly shape?: ListShape;
}

export interface MapValue {
  readonly kind: "map";
  readonly size: number;
  get(key: Value): Result | undefined;
  keys(): readonly Value[];
}

/** Value with named fields. `get` returns undefined for an unset field. */
export interface ObjectValue {
  readonly kind: "object";
  readonly typeName: string;
  get(field: string): Result | undefined;
  /** Returns the names of all fields that are set. */
  fields(): readonly string[];
}

export interface OptionalValue {
  readonly kind: "optional";
  /** Contained value. Undefined for `optional.none()`. */
  readonly value?: Value;
}

export interface TypeValue {
  readonly kind: "type";
  readonly name: string;
}

/** Value of a library's opaque type. Only functions of the library can read it. */
export interface OpaqueValue {
  readonly kind: "opaque";
  readonly typeName: string;
  readonly content: unknown;
  /** Comparison key. Two values of the same type are equal if their keys are equal. */
  readonly key: string;
}

export const errorValue = (message: string): ErrorValue => ({ kind: "error", message });
export const none: OptionalValue = { kind: "optional" };
export const optionalOf = (value: Value): OptionalValue => ({ kind: "optional", value });
export const uintValue = (value: bigint): UintValue => ({ kind: "uint", value });

export function isError(result: Result): result is ErrorValue {
  return typeof result === "object" && result !== null && result.kind === "error";
}

export function listOf(elements: readonly Value[]): ListValue {
  return { kind: "list", size: elements.length, at: (position) => elements[position] ?? null };
}

/** Returns the elements of a list, or the first error among them. */
export function elementsOf(list: ListValue): readonly Value[] | ErrorValue {
  const elements: Value[] = [];
  for (let at = 0; at < list.size; at++) {
    const element = list.at(at);
    if (isError(element)) return element;
    elements.push(element);
  }
  return elements;
}

/** Creates a map. Keys are strings, booleans or numbers. Entries with equal keys are merged. */
export function mapOf(entries: Iterable<readonly [Value, Value]>): MapValue {
  const byKey = new Map<string, readonly [Value, Value]>();
  for (const entry of entries) byKey.set(keyText(entry[0]), entry);
  return {
    kind: "map",
    size: byKey.size,
    get: (key) => byKey.get(keyText(key))?.[1],
    keys: () => [...byKey.values()].map(([key]) => key),
  };
}

/** Returns the size for costs: characters (UTF-16 units), elements or bytes. The size of other values is 1. */
export function sizeOf(value: Value): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 1;
  if (value.kind === "list" || value.kind === "map") return value.size;
  return value.kind === "bytes" ? value.bytes.length : 1;
}

/** Returns a string for a map key. Equal map keys have equal strings. */
function keyText(key: Value): string {
  if (typeof key === "string") return `s${key}`;
  if (typeof key === "object" && key?.kind === "uint") return `n${key.value}`;
  return typeof key === "boolean" ? `b${key}` : `n${String(key)}`;
}

/** Returns the type name for `type()` and error messages. */
export function typeNameOf(value: Value): string {
  switch (typeof value) {
    case "boolean":
      return "bool";
    case "bigint":
      return "int";
    case "number":
      return "double";
    case "string":
      return "string";
    default:
  }
  if (value === null) return "null_type";
  switch (value.kind) {
    case "timestamp":
      return "google.protobuf.Timestamp";
    case "duration":
      return "google.protobuf.Duration";
    case "optional":
      return "optional_type";
    case "object":
    case "opaque":
      return value.typeName;
    default:
      return value.kind;
  }
}
