/** Strategic merge rule of a field that does not have the default behaviour. */
export interface MergeRule {
  /** Field that identifies items when lists of objects are merged. Undefined for lists of scalars, which are merged as sets. */
  readonly mergeKey?: string;
  /** True if the list is merged instead of replaced. */
  readonly merge: boolean;
  /** True if `$retainKeys` may list the fields to keep. Unions support `$retainKeys`. */
  readonly retainKeys: boolean;
  /** True if the object is replaced as a unit. */
  readonly replace: boolean;
}

/** Type of a value in a built-in kind. Object types may be recursive, for example JSONSchemaProps. */
export type TypeSchema = ScalarSchema | ListSchema | MapSchema | ObjectSchema;

interface ScalarSchema {
  /**
   * Scalar type. `time` is RFC 3339 with a precision of seconds, `microTime` of microseconds. `bytes` is a base64 string.
   * `quantity` is a string such as `500m`, and may be a number in requests. `intOrString` is an integer or a string. `any` is
   * arbitrary JSON.
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

/** Map with string keys and values of the type `values`. */
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

/** Returns the package of a built-in group in type names: `core`, or the first label of the group. */
export function packageOf(group: string): string {
  return group === "" ? "core" : (group.split(".")[0] ?? group);
}

/** Scalar types by their one-letter code in `models.generated.txt`. */
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
 * Parses types. Each line contains a type name and its fields, for example `core.v1.Secret apiVersion:s data:{}y
 * metadata:meta.v1.ObjectMeta`. `!` marks a required field, `[]` a list, `{}` a map. A name without dots belongs to the package
 * and version of its line.
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
