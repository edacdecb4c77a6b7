/**
 * How a value divides into fields that can be owned one by one: what `x-kubernetes-list-type`, `-list-map-keys` and
 * `-map-type` say, for built-in types and for custom resources alike.
 */
export type FieldSchema = LeafSchema | StructSchema | MapSchema | SetSchema | ListSchema | FreeSchema;

/** A scalar, or a list or object that is owned as a whole (`atomic`). */
export interface LeafSchema {
  readonly kind: "leaf";
  /** What it may hold; absent where the schema says nothing. */
  readonly content?: LeafContent;
}

export type LeafContent =
  | { readonly scalar: "string" | "numeric" | "boolean" | "any" }
  | { readonly items: FieldSchema }
  | { readonly object: StructSchema | MapSchema };

/**
 * An object with named fields, `undefined` those that nobody owns. `others` are fields without a name in the schema, if
 * those may be there.
 */
export interface StructSchema {
  readonly kind: "struct";
  readonly fields: ReadonlyMap<string, FieldSchema | undefined>;
  readonly others: FieldSchema | undefined;
  /** Fields that are there, if empty, in an object that holds nothing: adding to them adds no field. */
  readonly implicitFields: ReadonlySet<string>;
}

/** An object with keys of the user's choice. */
export interface MapSchema {
  readonly kind: "map";
  readonly values: FieldSchema;
}

/** A list whose items are their own names. */
export interface SetSchema {
  readonly kind: "set";
  readonly items: FieldSchema;
}

/** A list of objects that are identified by the members `keys`, sorted by name. */
export interface ListSchema {
  readonly kind: "list";
  readonly keys: readonly string[];
  /** The values of keys that items may leave out. */
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly items: FieldSchema;
}

/** A value without a schema: objects divide by member, lists do not. */
export interface FreeSchema {
  readonly kind: "free";
  /** Nothing but an object may be there. */
  readonly object: boolean;
}

export const leafSchema: LeafSchema = { kind: "leaf" };
export const textSchema: LeafSchema = { kind: "leaf", content: { scalar: "string" } };
export const numberSchema: LeafSchema = { kind: "leaf", content: { scalar: "numeric" } };
export const booleanSchema: LeafSchema = { kind: "leaf", content: { scalar: "boolean" } };
export const scalarSchema: LeafSchema = { kind: "leaf", content: { scalar: "any" } };
export const freeSchema: FreeSchema = { kind: "free", object: false };
export const freeObjectSchema: FreeSchema = { kind: "free", object: true };

/** A value that is owned as a whole and may hold what `fieldSchema` says. */
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

/** The schema of a member of an object, `undefined` where the schema knows no such field, or nobody can own it. */
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

/** Whether the schema names this member: an object's field rather than a map's key. */
export function isNamed(fieldSchema: FieldSchema, name: string): boolean {
  return fieldSchema.kind === "struct" && fieldSchema.fields.has(name);
}
