/** Strategic merge rule of a field with a behaviour other than the default. */
export interface MergeRule {
  /** Field by which lists of objects merge. Undefined for lists of scalars, which merge as sets. */
  readonly mergeKey?: string;
  /** True if the list is merged instead of replaced. */
  readonly merge: boolean;
  /** True if `$retainKeys` may name the fields to keep, because the object or list item is a union. */
  readonly retainKeys: boolean;
  /** True if the object is replaced as a unit. */
  readonly replace: boolean;
}

/** Type of a value in a built-in kind. Object types may be recursive, such as JSONSchemaProps. */
export type TypeSchema = ScalarSchema | ListSchema | MapSchema | ObjectSchema;

interface ScalarSchema {
  /**
   * `time` is RFC 3339 in seconds, `microTime` in microseconds, `bytes` a base64 string, `quantity` a string
   * (or a number on input) such as `500m`, `intOrString` either, `any` free JSON.
   */
  readonly type:
    | "string"
    | "int32"
    | "int64"
    | "number"
    | "boolean"
    | "time"
    | "microTime"
    | "quantity"
    | "intOrString"
    | "bytes"
    | "any";
}

interface ListSchema {
  readonly type: "list";
  readonly items: TypeSchema;
}

/** Map from strings to `values`. */
interface MapSchema {
  readonly type: "map";
  readonly values: TypeSchema;
}

export interface ObjectSchema {
  readonly type: "object";
  /** Type name `package.version.Type`, for example `core.v1.PodSpec` or `meta.v1.ObjectMeta`. */
  readonly name: string;
  readonly fields: ReadonlyMap<string, FieldSchema>;
}

export interface FieldSchema {
  readonly schema: TypeSchema;
  readonly required: boolean;
  readonly mergeRule?: MergeRule;
}

export interface GroupVersionKind {
  /** Empty string for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Package of a built-in group in type names: `core`, or the group's first label. */
export function packageOf(group: string): string {
  return group === "" ? "core" : (group.split(".")[0] ?? group);
}

/** One-letter codes of `models.generated.ts`. */
const scalarCodes: Readonly<Record<string, ScalarSchema["type"]>> = {
  s: "string",
  i: "int32",
  l: "int64",
  n: "number",
  b: "boolean",
  t: "time",
  T: "microTime",
  q: "quantity",
  x: "intOrString",
  y: "bytes",
  "*": "any",
};

const scalars = new Map(
  Object.entries(scalarCodes).map(([code, type]): [string, ScalarSchema] => [code, { type }]),
);

/**
 * Parses types. A line has a type name and its fields: `core.v1.Secret apiVersion:s data:{}y
 * metadata:meta.v1.ObjectMeta`. `!` marks a required field, `[]` a list, `{}` a map. A name without dots
 * belongs to the line's package and version.
 */
export function parseTypes(
  rows: readonly (readonly [string, ...string[]])[],
  mergeRules: ReadonlyMap<string, MergeRule>,
): ReadonlyMap<string, ObjectSchema> {
  const fieldMaps = new Map<string, Map<string, FieldSchema>>();
  const types = new Map<string, ObjectSchema>();
  for (const [name] of rows) {
    const fields = new Map<string, FieldSchema>();
    fieldMaps.set(name, fields);
    types.set(name, { type: "object", name, fields });
  }
  const schemaOf = (code: string, prefix: string): TypeSchema => {
    if (code.startsWith("[]")) return { type: "list", items: schemaOf(code.slice(2), prefix) };
    if (code.startsWith("{}")) return { type: "map", values: schemaOf(code.slice(2), prefix) };
    const found = scalars.get(code) ?? types.get(code.includes(".") ? code : prefix + code);
    if (!found) throw new Error(`the type catalogue references ${code} but does not contain it`);
    return found;
  };
  for (const [name, ...fields] of rows) {
    const prefix = name.slice(0, name.lastIndexOf(".") + 1);
    for (const text of fields) {
      const colon = text.indexOf(":");
      const required = text[colon - 1] === "!";
      const field = text.slice(0, required ? colon - 1 : colon);
      const mergeRule = mergeRules.get(`${name}.${field}`);
      fieldMaps.get(name)?.set(field, {
        schema: schemaOf(text.slice(colon + 1), prefix),
        required,
        ...(mergeRule ? { mergeRule } : {}),
      });
    }
  }
  return types;
}
