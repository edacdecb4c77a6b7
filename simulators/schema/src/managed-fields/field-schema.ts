/**
 * Schema that divides a value into separately owned fields. It follows `x-kubernetes-list-type`, `-list-map-keys` and
 * `-map-type`. Built-in types and custom resources both use it.
 */
export type FieldSchema = LeafSchema | StructSchema | MapSchema | SetSchema | ListSchema | FreeSchema;

/** Scalar, or a list or object that is owned as a unit (`atomic`). */
export interface LeafSchema {
  readonly kind: "leaf";
  /** Permitted content. Undefined if any content is permitted. */
  readonly content?: LeafContent;
}

export type LeafContent =
  | { readonly scalar: "string" | "numeric" | "boolean" | "any" }
  | { readonly items: FieldSchema }
  | { readonly object: StructSchema | MapSchema };

/**
 * Object with named fields. A field that is mapped to `undefined` has no owner. `others` is the schema of undeclared fields, if
 * they are permitted.
 */
export interface StructSchema {
  readonly kind: "struct";
  readonly fields: ReadonlyMap<string, FieldSchema | undefined>;
  readonly others: FieldSchema | undefined;
  /**
   * Fields that exist even in an empty object. If a field below an implicit field is added to a set, the implicit field itself is
   * not added.
   */
  readonly implicitFields: ReadonlySet<string>;
}

/** Object with arbitrary keys. */
export interface MapSchema {
  readonly kind: "map";
  readonly values: FieldSchema;
}

/** List with items that are identified by their values. */
export interface SetSchema {
  readonly kind: "set";
  readonly items: FieldSchema;
}

/** List of objects. The fields `keys` identify an item. The keys are sorted by name. */
export interface ListSchema {
  readonly kind: "list";
  readonly keys: readonly string[];
  /** Default values of keys that items may omit. */
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly items: FieldSchema;
}

/** Value without a schema. Each field of an object has a separate owner. A list is owned as a unit. */
export interface FreeSchema {
  readonly kind: "free";
  /** True if the value must be an object. */
  readonly object: boolean;
}

export const leafSchema: LeafSchema = { kind: "leaf" };
export const textSchema: LeafSchema = { kind: "leaf", content: { scalar: "string" } };
export const numberSchema: LeafSchema = { kind: "leaf", content: { scalar: "numeric" } };
export const booleanSchema: LeafSchema = { kind: "leaf", content: { scalar: "boolean" } };
export const scalarSchema: LeafSchema = { kind: "leaf", content: { scalar: "any" } };
export const freeSchema: FreeSchema = { kind: "free", object: false };
export const freeObjectSchema: FreeSchema = { kind: "free", object: true };

/** Returns a schema for values that are owned as a unit. `fieldSchema` describes their content. */
export function atomicSchema(fieldSchema: FieldSchema): LeafSchema {
  switch (fieldSchema.kind) {
    case "struct":
    case "map":
      return { kind: "leaf", content: { object: fieldSchema } };
    case "leaf":
      return fieldSchema;
    default:
      return leafSchema;
  }
}

/** Returns the schema of an object's field. Undefined if the field is unknown or has no owner. */
export function memberSchema(
  fieldSchema: StructSchema | MapSchema | FreeSchema,
  name: string,
): FieldSchema | undefined {
  switch (fieldSchema.kind) {
    case "struct":
      return fieldSchema.fields.has(name) ? fieldSchema.fields.get(name) : fieldSchema.others;
    case "map":
      return fieldSchema.values;
    case "free":
      return freeSchema;
  }
}

/** True if the schema declares the field. False for a map key. */
export function isNamed(fieldSchema: FieldSchema, name: string): boolean {
  return fieldSchema.kind === "struct" && fieldSchema.fields.has(name);
}
