import { isPlainObject } from "@keelson/base";

/** Configuration field in the reference document. */
export interface FieldRow {
  /** Path of the field, for example `database.url`. `[]` is any list element and `*` any field name. */
  readonly path: string;
  /** Alternative of the union that contains the field, for example `kind: postgres`. */
  readonly variant?: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** Default value as JSON. */
  readonly default?: string;
  readonly isSecret: boolean;
  /** True if a running process reads the value again after a change. */
  readonly isReread: boolean;
  /** Commands that use the field, for example `rp`. Empty: all commands that read the file. */
  readonly roles: readonly string[];
  readonly description: string;
}

interface Place {
  readonly path: string;
  readonly variant?: string | undefined;
  readonly isRequired: boolean;
  /** Roles of the parent, which also apply to its fields. */
  readonly roles: readonly string[];
}

type Schema = Readonly<Record<string, unknown>>;

/** Returns the fields in an object's JSON Schema. Parents come before their fields. */
export function fieldRows(schema: object): readonly FieldRow[] {
  return fieldsOf(schemaOf(schema), { path: "", isRequired: true, roles: [] });
}

function fieldsOf(schema: Schema, { path, variant, roles }: Place): readonly FieldRow[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schemaOf(schema.properties)).flatMap(([name, each]) => {
    const field = schemaOf(each);
    const isRequired = required.includes(name) && field.default === undefined;
    const at = path === "" ? name : `${path}.${name}`;
    const own = Array.isArray(field.roles) ? field.roles.map(String) : roles;
    return rowsOf(field, { path: at, isRequired, roles: own, variant });
  });
}

function rowsOf(schema: Schema, place: Place): readonly FieldRow[] {
  return [rowOf(schema, place), ...below(schema, place)];
}

function below(schema: Schema, place: Place): readonly FieldRow[] {
  const alternatives = list(schema.anyOf).map(schemaOf);
  if (alternatives.some(({ properties }) => properties !== undefined))
    return alternatives.flatMap((each) =>
      fieldsOf(each, { ...place, variant: variantOf(each, alternatives) }),
    );
  if (schema.properties !== undefined) return fieldsOf(schema, place);
  const element = schemaOf(schema.items);
  if (element.properties !== undefined) return fieldsOf(element, { ...place, path: `${place.path}[]` });
  const [value] = Object.values(schemaOf(schema.patternProperties)).map(schemaOf);
  return value?.properties === undefined ? [] : fieldsOf(value, { ...place, path: `${place.path}.*` });
}

/** Describes an alternative of a union by its constant, or by the first field that only this alternative has. */
function variantOf(schema: Schema, all: readonly Schema[]): string {
  const fields = Object.entries(schemaOf(schema.properties));
  const constant = fields.find(([, each]) => schemaOf(each).const !== undefined);
  if (constant) return `${constant[0]}: ${String(schemaOf(constant[1]).const)}`;
  const others = all.filter((each) => each !== schema).map((each) => schemaOf(each.properties));
  const [own = ""] = fields.map(([name]) => name).filter((name) => others.every((each) => !(name in each)));
  return `with ${own}`;
}

function rowOf(schema: Schema, { path, variant, isRequired, roles }: Place): FieldRow {
  return {
    path,
    ...(variant === undefined ? {} : { variant }),
    type: typeOf(schema, path),
    isRequired,
    ...(schema.default === undefined ? {} : { default: JSON.stringify(schema.default) }),
    isSecret: schema.secret === true,
    isReread: schema.reread === true,
    roles,
    description: typeof schema.description === "string" ? schema.description : "",
  };
}

function typeOf(schema: Schema, path: string): string {
  const { type, anyOf, items, minimum, maximum } = schema;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((each) => JSON.stringify(each)).join(" or ");
  if (Array.isArray(anyOf)) return anyOf.every(isConstant) ? constantsOf(anyOf) : "object";
  if (type === "array") return `list of ${typeOf(schemaOf(items), "")}`;
  const unit = unitOf(path);
  const range = rangeOf(minimum, maximum);
  return [String(type ?? "object"), unit, range].filter((each) => each !== "").join(", ");
}

function isConstant(schema: unknown): boolean {
  return schemaOf(schema).const !== undefined;
}

function constantsOf(schemas: readonly unknown[]): string {
  return schemas.map((each) => JSON.stringify(schemaOf(each).const)).join(" or ");
}

function unitOf(path: string): string {
  const [, suffix = ""] = /(Ms|Seconds|Bytes)$/.exec(path) ?? [];
  return { Ms: "milliseconds", Seconds: "seconds", Bytes: "bytes" }[suffix] ?? "";
}

function rangeOf(minimum: unknown, maximum: unknown): string {
  if (minimum === undefined && maximum === undefined) return "";
  if (maximum === undefined) return `at least ${minimum}`;
  return minimum === undefined ? `at most ${maximum}` : `${minimum} to ${maximum}`;
}

function schemaOf(value: unknown): Schema {
  return isPlainObject(value) ? value : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
