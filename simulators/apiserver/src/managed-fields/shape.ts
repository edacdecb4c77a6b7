/**
 * How a value divides into fields that can be owned one by one: what `x-kubernetes-list-type`, `-list-map-keys` and
 * `-map-type` say, for built-in types and for custom resources alike.
 */
export type Shape = LeafShape | StructShape | MapShape | SetShape | ListShape | FreeShape;

/** A scalar, or a list or object that is owned as a whole (`atomic`). */
export interface LeafShape {
  readonly kind: "leaf";
  /** What it may hold; absent where the schema says nothing. */
  readonly content?: LeafContent;
}

export type LeafContent =
  | { readonly scalar: "string" | "numeric" | "boolean" | "any" }
  | { readonly items: Shape }
  | { readonly object: StructShape | MapShape };

/**
 * An object with named fields, `undefined` those that nobody owns. `others` are fields without a name in the schema, if
 * those may be there.
 */
export interface StructShape {
  readonly kind: "struct";
  readonly fields: ReadonlyMap<string, Shape | undefined>;
  readonly others: Shape | undefined;
  /** Fields that are there, if empty, in an object that holds nothing: adding to them adds no field. */
  readonly inborn: ReadonlySet<string>;
}

/** An object with keys of the user's choice. */
export interface MapShape {
  readonly kind: "map";
  readonly values: Shape;
}

/** A list whose items are their own names. */
export interface SetShape {
  readonly kind: "set";
  readonly items: Shape;
}

/** A list of objects that are told apart by the members `keys`, sorted by name. */
export interface ListShape {
  readonly kind: "list";
  readonly keys: readonly string[];
  /** The values of keys that items may leave out. */
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly items: Shape;
}

/** A value without a schema: objects divide by member, lists do not. */
export interface FreeShape {
  readonly kind: "free";
  /** Nothing but an object may be there. */
  readonly object: boolean;
}

export const leafShape: LeafShape = { kind: "leaf" };
export const textShape: LeafShape = { kind: "leaf", content: { scalar: "string" } };
export const numberShape: LeafShape = { kind: "leaf", content: { scalar: "numeric" } };
export const booleanShape: LeafShape = { kind: "leaf", content: { scalar: "boolean" } };
export const scalarShape: LeafShape = { kind: "leaf", content: { scalar: "any" } };
export const freeShape: FreeShape = { kind: "free", object: false };
export const freeObjectShape: FreeShape = { kind: "free", object: true };

/** A value that is owned as a whole and may hold what `shape` says. */
export function atomicShape(shape: Shape): LeafShape {
  switch (shape.kind) {
    case "struct":
    case "map":
      return { kind: "leaf", content: { object: shape } };
    case "leaf":
      return shape;
    default:
      return leafShape;
  }
}

/** The shape of a member of an object, `undefined` where the schema knows no such field, or nobody can own it. */
export function memberShape(shape: StructShape | MapShape | FreeShape, name: string): Shape | undefined {
  switch (shape.kind) {
    case "struct":
      return shape.fields.has(name) ? shape.fields.get(name) : shape.others;
    case "map":
      return shape.values;
    case "free":
      return freeShape;
  }
}

/** Whether the schema names this member: an object's field rather than a map's key. */
export function isNamed(shape: Shape, name: string): boolean {
  return shape.kind === "struct" && shape.fields.has(name);
}
