/** Strategic merge rule of a field that is not simply replaced or merged by member. */
export interface MergeRule {
  /** Lists of objects merge by this member; absent for lists of scalars, which merge as sets. */
  readonly mergeKey?: string;
  /** The list merges instead of being replaced. */
  readonly merge: boolean;
  /** `$retainKeys` may name the members to keep: the object (or each list item) is a union. */
  readonly retainKeys: boolean;
  /** The object is replaced whole. */
  readonly replace: boolean;
}

/** The type of a value of a built-in kind. Objects may contain themselves (JSONSchemaProps does). */
export type TypeSchema = ScalarSchema | ListSchema | MapSchema | ObjectSchema;

interface ScalarSchema {
  /**
   * `time` is RFC 3339 to the second, `microTime` to the microsecond, `bytes` base64 text, `quantity` text (or
   * a number on input) such as `500m`, `intOrString` either, `any` free JSON.
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

/** Text keys to `values`. */
interface MapSchema {
  readonly type: "map";
  readonly values: TypeSchema;
}

export interface ObjectSchema {
  readonly type: "object";
  /** `package.version.Type`, for example `core.v1.PodSpec`, `meta.v1.ObjectMeta`. */
  readonly name: string;
  readonly fields: ReadonlyMap<string, FieldSchema>;
}

export interface FieldSchema {
  readonly schema: TypeSchema;
  readonly required: boolean;
  readonly mergeRule?: MergeRule;
}

export interface GroupVersionKind {
  /** Empty text for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The package of a built-in group in type names: `core`, or the group's first label. */
export function packageOf(group: string): string {
  return group === "" ? "core" : (group.split(".")[0] ?? group);
}

/** The one-letter codes of `models.generated.ts`. */
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
 * A line is a type name and its fields: `core.v1.Secret apiVersion:s data:{}y metadata:meta.v1.ObjectMeta`. `!` marks
 * a required field, `[]` a list, `{}` a map; a name without dots is of the line's own package and version.
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
    if (!found) throw new Error(`the type catalogue names ${code} but does not hold it`);
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
