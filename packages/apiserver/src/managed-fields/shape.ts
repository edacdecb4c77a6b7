/**
 * How a value divides into fields that can be owned one by one: what `x-kubernetes-list-type`, `-list-map-keys` and
 * `-map-type` say, for built-in types and for custom resources alike.
 */
export type Shape = LeafShape | StructShape | MapShape | SetShape | ListShape | FreeShape;

/** A scalar, or a list or object that is owned as a whole (`atomic`). */
export interface LeafShape {
  readonly kind: "leaf";
}

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
}

export const leafShape: LeafShape = { kind: "leaf" };
export const freeShape: FreeShape = { kind: "free" };

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
