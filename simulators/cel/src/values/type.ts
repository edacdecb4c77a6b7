import type {
  BytesValue,
  DurationValue,
  ListValue,
  MapValue,
  OpaqueValue,
  OptionalValue,
  TimestampValue,
  TypeValue,
  UintValue,
  Value,
} from "./value.ts";

type TypeKind =
  | "dyn"
  | "null"
  | "bool"
  | "int"
  | "uint"
  | "double"
  | "string"
  | "bytes"
  | "timestamp"
  | "duration"
  | "type"
  | "list"
  | "map"
  | "object"
  | "opaque"
  | "parameter";

/**
 * Type of the Common Expression Language. `V` is the TypeScript type of its values and has no effect at run time. `maxSize` is
 * the maximum size of a value in a schema, used for cost estimates. The size is the number of characters in a string, or of
 * elements in a list or map. For other types, `maxSize` is 0.
 */
export interface Type<V = unknown> {
  readonly kind: TypeKind;
  /** Name of an object type, a library's opaque type or a type parameter. */
  readonly name?: string;
  /** Element type of a list, key and value types of a map, or parameters of an opaque type. */
  readonly parameters?: readonly Type[];
  /** Returns the type of an object's field, or undefined for an unknown field. Only object types have this function. */
  readonly field?: (name: string) => Type | undefined;
  readonly maxSize?: number;
  /** Never set. The property only carries the type parameter `V`. */
  readonly example?: V;
}

const simple = <V>(kind: TypeKind): Type<V> => ({ kind });

export const dyn = simple<Value>("dyn");
export const nullType = simple<null>("null");
export const bool = simple<boolean>("bool");
export const int = simple<bigint>("int");
export const uint = simple<UintValue>("uint");
export const double = simple<number>("double");
export const string = simple<string>("string");
export const bytes = simple<BytesValue>("bytes");
export const timestamp = simple<TimestampValue>("timestamp");
export const duration = simple<DurationValue>("duration");

export const listType = (element: Type, maxSize?: number): Type<ListValue> => ({
  kind: "list",
  parameters: [element],
  ...(maxSize === undefined ? {} : { maxSize }),
});

export const mapType = (key: Type, value: Type, maxSize?: number): Type<MapValue> => ({
  kind: "map",
  parameters: [key, value],
  ...(maxSize === undefined ? {} : { maxSize }),
});

/** Returns an object type with named fields. */
export const objectType = (name: string, field: (name: string) => Type | undefined): Type => ({
  kind: "object",
  name,
  field,
});

export const opaqueType = (name: string): Type<OpaqueValue> => ({ kind: "opaque", name });

export const optionalType = (of: Type): Type<OptionalValue> => ({
  kind: "opaque",
  name: "optional_type",
  parameters: [of],
});

export const typeOf = (of: Type): Type<TypeValue> => ({ kind: "type", parameters: [of] });

/** Type parameter that each call determines, such as `A` in `optional.of(A)`. */
export const parameter = (name: string): Type<Value> => ({ kind: "parameter", name });

/** Returns the type parameter at a position. Default: dyn. */
export function parameterOf(type: Type, position = 0): Type {
  return type.parameters?.[position] ?? dyn;
}

const names: Partial<Record<TypeKind, string>> = {
  null: "null",
  timestamp: "google.protobuf.Timestamp",
  duration: "google.protobuf.Duration",
};

/** Formats a type for CEL's messages, for example `map(string, int)`. */
export function typeText(type: Type): string {
  if (type.kind === "list" || type.kind === "map" || type.kind === "type") {
    return type.parameters ? `${type.kind}(${type.parameters.map(typeText).join(", ")})` : type.kind;
  }
  if (type.kind === "opaque" && type.parameters) {
    return `${type.name}(${type.parameters.map(typeText).join(", ")})`;
  }
  return type.name ?? names[type.kind] ?? type.kind;
}

/** True if a value of type `from` is valid where `to` is expected. Type parameters in `to` are added to `bindings`. */
export function isAssignable(from: Type, to: Type, bindings: Map<string, Type>): boolean {
  if (to.kind === "parameter") {
    const name = to.name ?? "";
    const bound = bindings.get(name);
    if (!bound || bound.kind === "dyn") {
      bindings.set(name, from);
      return true;
    }
    if (isAssignable(from, bound, bindings)) return true;
    if (!isAssignable(bound, from, bindings)) return false;
    bindings.set(name, from);
    return true;
  }
  if (from.kind === "dyn" || to.kind === "dyn" || from.kind === "parameter") return true;
  if (from.kind === "null") return ["null", "object", "timestamp", "duration", "opaque"].includes(to.kind);
  if (to.kind === "null") return isAssignable(to, from, bindings);
  // Values of the kind `type` are comparable regardless of their parameter.
  if (from.kind === "type" && to.kind === "type") return true;
  if (from.kind !== to.kind || from.name !== to.name) return false;
  const parameters = to.parameters ?? [];
  return parameters.every((each, at) => isAssignable(parameterOf(from, at), each, bindings));
}

/** Replaces type parameters with their bindings. */
export function substitute(type: Type, bindings: ReadonlyMap<string, Type>): Type {
  if (type.kind === "parameter") return bindings.get(type.name ?? "") ?? dyn;
  if (!type.parameters) return type;
  return { ...type, parameters: type.parameters.map((each) => substitute(each, bindings)) };
}

/**
 * Returns the common type of two types. The common type of different types is dyn, unless one type is null and is assignable to
 * the other type.
 */
export function joined(a: Type, b: Type): Type {
  if (a.kind === "null" && b.kind !== "null") return isAssignable(a, b, new Map()) ? b : dyn;
  if (b.kind === "null" && a.kind !== "null") return isAssignable(b, a, new Map()) ? a : dyn;
  if (a.kind === "dyn" || b.kind === "dyn") return dyn;
  return isAssignable(a, b, new Map()) && isAssignable(b, a, new Map()) ? a : dyn;
}
