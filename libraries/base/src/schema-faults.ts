import { closestName } from "./closest-name.ts";
import { isPlainObject } from "./json.ts";

/** Schema violation as reported by TypeBox. */
export interface SchemaFault {
  readonly keyword: string;
  /** JSON pointer of the invalid value. */
  readonly instancePath: string;
  /** JSON pointer of the violated schema keyword, after `#`. */
  readonly schemaPath: string;
  readonly message: string;
  readonly params: object;
}

/** Returns violations of a JSON schema. The function may stop before it has found all violations. */
export type FindSchemaFaults = (schema: object, value: unknown) => readonly SchemaFault[];

/**
 * Describes violations for users: path, problem and expected values. Duplicates are omitted. For a union with a discriminator
 * such as `kind`, only the selected alternative is described.
 */
export function describeSchemaFaults(
  schema: object,
  value: unknown,
  find: FindSchemaFaults,
): readonly string[] {
  const narrowed = narrow(schema, value);
  const faults = find(narrowed, value);
  const described = new Set(faults.flatMap((fault) => describe(narrowed, fault)));
  if (described.size > 0) return [...described];
  return faults.map(({ instancePath, message }) => `${instancePath || "/"} ${message}`);
}

/** Object field that the schema does not allow. */
export interface UnknownField {
  /** JSON pointer of the object. Empty for the root. */
  readonly parent: string;
  readonly name: string;
}

/**
 * Returns the fields that the schema does not allow. For a union with a discriminator, the selected alternative decides. Fields
 * inside other unions are omitted, because a different alternative may allow them.
 */
export function findUnknownFields(
  schema: object,
  value: unknown,
  find: FindSchemaFaults,
): readonly UnknownField[] {
  return find(narrow(schema, value), value)
    .filter(({ keyword, schemaPath }) => keyword === "additionalProperties" && !ofUnion.test(schemaPath))
    .flatMap(({ instancePath, params }) =>
      namesIn(params, "additionalProperties").map((name) => ({ parent: instancePath, name })),
    );
}

/** Replaces each union in the schema by the alternative that the value's discriminator selects. */
function narrow(schema: object, value: unknown): object {
  const { anyOf, properties } = Object(schema);
  if (Array.isArray(anyOf)) {
    const meant = anyOf.find((each) =>
      constantsOf(each).some(([name, constant]) => Object(value)[name] === constant),
    );
    return meant === undefined ? schema : narrow(meant, value);
  }
  if (!isPlainObject(properties) || !isPlainObject(value)) return schema;
  const members = Object.entries(properties).map(([name, each]) => [
    name,
    typeof each === "object" && each !== null && name in value ? narrow(each, value[name]) : each,
  ]);
  return { ...schema, properties: Object.fromEntries(members) };
}

function constantsOf(schema: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(propertiesOf(schema)).flatMap(([name, each]) => {
    const constant: unknown = Object(each).const;
    return constant === undefined ? [] : [[name, constant] as const];
  });
}

function describe(root: object, fault: SchemaFault): readonly string[] {
  const { keyword, instancePath, schemaPath, message, params } = fault;
  const choice = choiceOf(root, fault);
  if (choice) return choice;
  const schema = schemaAt(root, schemaPath);
  const path = instancePath || "/";
  if (keyword === "required")
    // Missing properties with a default are not a fault. They are reported only because the defaults are not filled in if other
    // properties are invalid.
    return namesIn(params, "requiredProperties")
      .filter((name) => !Object.hasOwn(Object(propertiesOf(schema)[name]), "default"))
      .map((name) => `${instancePath}/${name} is missing${described(propertiesOf(schema)[name])}`);
  // Skipped, because a separate violation of the parent object names the unknown properties.
  if (keyword === "boolean" && schemaPath.endsWith("/additionalProperties")) return [];
  if (keyword === "additionalProperties")
    return namesIn(params, "additionalProperties").map((name) => {
      const meant = closestName(name, Object.keys(propertiesOf(schema)));
      return `${instancePath}/${name} is unknown${meant === undefined ? "" : `, did you mean ${meant}?`}`;
    });
  const allowed = namesIn(params, "allowedValues");
  const instead = allowed.length > 0 ? `: ${allowed.join(", ")}` : "";
  return [`${path} ${message}${instead}${described(schema)}`];
}

function described(schema: unknown): string {
  const description: unknown = Object(schema).description;
  return typeof description === "string" ? ` (${description})` : "";
}

function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> {
  const properties: unknown = Object(schema).properties;
  return isPlainObject(properties) ? properties : {};
}

function namesIn(params: object, member: string): readonly string[] {
  const names: unknown = Reflect.get(params, member);
  return Array.isArray(names) ? names.map(String) : [];
}

function schemaAt(root: object, schemaPath: string): unknown {
  const parts = schemaPath.split("/").slice(1);
  return parts.reduce<unknown>((schema, part) => Reflect.get(Object(schema), part), root);
}

const ofUnion = /^(.*)\/anyOf\/\d+(?:\/|$)/;

/**
 * Returns the message with the valid discriminator values if the value matches no alternative of a union. Returns undefined for
 * unions without a discriminator.
 */
function choiceOf(
  root: object,
  { keyword, instancePath, schemaPath }: SchemaFault,
): readonly string[] | undefined {
  const union = keyword === "anyOf" ? schemaPath : ofUnion.exec(schemaPath)?.[1];
  if (union === undefined) return undefined;
  const members: unknown = Object(schemaAt(root, union)).anyOf;
  const constants = Array.isArray(members) ? members.map((each) => constantsOf(each)[0]) : [];
  const [first] = constants;
  if (first === undefined || constants.some((each) => each?.[0] !== first[0])) return undefined;
  if (keyword !== "const") return [];
  return [`${instancePath} must be one of ${constants.map((each) => String(each?.[1])).join(", ")}`];
}
