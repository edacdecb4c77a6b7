import { isDeepStrictEqual } from "node:util";
import { fieldError, type StatusCause, scalarStringAt } from "@keelson/apimachinery";
import { isPlainObject, listAt, objectAt, valueAt } from "@keelson/base";
import { findRegex } from "@keelson/cel";

type Level = "root" | "item" | "field";

const extension = (name: string) => `x-kubernetes-${name}`;

/**
 * Returns the validation errors of a schema that is not structural, sorted as in Kubernetes. In a structural schema, each value
 * has a type. Keywords such as `anyOf` may only restrict values.
 */
export function validateStructural(schema: unknown, path: string): readonly StatusCause[] {
  const causes: StatusCause[] = [];
  checkInvariants(schema, "root", path, causes);
  checkCompleteness(schema, path, causes);
  return causes.toSorted((a, b) => (`${a.field}: ${a.message}` < `${b.field}: ${b.message}` ? -1 : 1));
}

function checkInvariants(schema: unknown, level: Level, path: string, causes: StatusCause[]): void {
  const type = scalarStringAt(schema, "type");
  const items = valueAt(schema, "items");
  const additional = valueAt(schema, "additionalProperties");
  const properties = objectAt(schema, "properties");
  const embedded = valueAt(schema, extension("embedded-resource")) === true;
  const preserves = valueAt(schema, extension("preserve-unknown-fields")) === true;
  const intOrString = valueAt(schema, extension("int-or-string")) === true;
  if (type === "array" && items === undefined)
    causes.push(fieldError.required(`${path}.items`, "must be specified"));
  if (isPlainObject(items)) checkInvariants(items, "item", `${path}.items`, causes);
  for (const [name, property] of Object.entries(properties)) {
    checkInvariants(property, "field", `${path}.properties[${name}]`, causes);
  }
  if (additional !== undefined) {
    if (level === "root")
      causes.push(fieldError.forbidden(`${path}.additionalProperties`, "must not be used at the root"));
    if (isPlainObject(additional))
      checkInvariants(additional, "field", `${path}.additionalProperties`, causes);
  }
  if (intOrString && preserves) {
    const why = "must be false if x-kubernetes-int-or-string is true";
    causes.push(fieldError.invalid(`${path}.${extension("preserve-unknown-fields")}`, true, why));
  }
  if (intOrString && embedded) {
    const why = "must be false if x-kubernetes-int-or-string is true";
    causes.push(fieldError.invalid(`${path}.${extension("embedded-resource")}`, true, why));
  }
  checkValueValidation(schema, path, causes, {
    anyOf: isIntOrString(valueAt(schema, "anyOf")),
    firstAllOf: isIntOrString(valueAt(listAt(schema, "allOf")[0], "anyOf")),
  });
  checkType({ type, level, embedded, untyped: intOrString || preserves }, path, causes);
  if (embedded && additional !== undefined) {
    const why = "must not be used if x-kubernetes-embedded-resource is set";
    causes.push(fieldError.forbidden(`${path}.additionalProperties`, why));
  }
  if (embedded && !preserves && Object.keys(properties).length === 0) {
    const why =
      "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
    causes.push(fieldError.required(`${path}.properties`, why));
  }
  checkTypeMeta(properties, level, embedded, path, causes);
}

function checkType(
  { type, level, embedded, untyped }: { type: string; level: Level; embedded: boolean; untyped: boolean },
  path: string,
  causes: StatusCause[],
): void {
  const field = `${path}.type`;
  if (embedded && type !== "object") {
    const why = "must be object if x-kubernetes-embedded-resource is true";
    causes.push(type ? fieldError.invalid(field, type, why) : fieldError.required(field, why));
  } else if (!type && !untyped) {
    const where = {
      root: "at the root",
      item: "for specified array items",
      field: "for specified object fields",
    }[level];
    causes.push(fieldError.required(field, `must not be empty ${where}`));
  }
  if (level === "root" && type && type !== "object") {
    causes.push(fieldError.invalid(field, type, "must be object at the root"));
  }
}

/** Validates the types of `kind`, `apiVersion` and `metadata`. */
function checkTypeMeta(
  properties: Readonly<Record<string, unknown>>,
  level: Level,
  embedded: boolean,
  path: string,
  causes: StatusCause[],
): void {
  const isObject = level === "root" || embedded;
  if (!isObject) return;
  for (const name of ["kind", "apiVersion"]) {
    if (!Object.hasOwn(properties, name) || scalarStringAt(properties, name, "type") === "string") continue;
    const field = `${path}.properties[${name}].type`;
    causes.push(fieldError.invalid(field, scalarStringAt(properties, name, "type"), "must be string"));
  }
  if (!Object.hasOwn(properties, "metadata")) return;
  const metadata = objectAt(properties, "metadata");
  const field = `${path}.properties[metadata]`;
  if (metadata.type !== "object") {
    causes.push(fieldError.invalid(`${field}.type`, scalarStringAt(metadata, "type"), "must be object"));
  }
  if (level !== "root") return;
  const { type: _type, description: _description, properties: names, ...rest } = metadata;
  const others = Object.keys(objectAt(names)).filter((name) => name !== "name" && name !== "generateName");
  if (others.length > 0 || Object.keys(rest).length > 0) {
    const why =
      "must not specify anything other than name and generateName, but metadata is implicitly specified";
    causes.push(fieldError.forbidden(field, why));
  }
}

const intOrStringAnyOf = [{ type: "integer" }, { type: "string" }];

function isIntOrString(anyOf: unknown): boolean {
  return isDeepStrictEqual(anyOf, intOrStringAnyOf);
}

/**
 * Exceptions from the rule that `anyOf` and `allOf` must not contain `type`. Only two forms of int-or-string have such an
 * exception.
 */
interface Exceptions {
  readonly anyOf: boolean;
  readonly firstAllOf: boolean;
}

const noExceptions: Exceptions = { anyOf: false, firstAllOf: false };

function checkValueValidation(
  schema: unknown,
  path: string,
  causes: StatusCause[],
  exceptions: Exceptions,
): void {
  if (!exceptions.anyOf) {
    for (const [at, each] of listAt(schema, "anyOf").entries()) {
      checkNested(each, `${path}.anyOf[${at}]`, causes, noExceptions);
    }
  }
  for (const [at, each] of listAt(schema, "allOf").entries()) {
    const anyOf = exceptions.firstAllOf && at === 0;
    checkNested(each, `${path}.allOf[${at}]`, causes, { anyOf, firstAllOf: false });
  }
  for (const [at, each] of listAt(schema, "oneOf").entries()) {
    checkNested(each, `${path}.oneOf[${at}]`, causes, noExceptions);
  }
  const not = valueAt(schema, "not");
  if (isPlainObject(not)) checkNested(not, `${path}.not`, causes, noExceptions);
  const pattern = scalarStringAt(schema, "pattern");
  if (pattern && !findRegex(pattern)) {
    const why = "must be a valid regular expression, but isn't: error parsing regexp";
    causes.push(fieldError.invalid(`${path}.pattern`, pattern, why));
  }
}

/** Keywords that the alternatives of a schema must not contain, with Kubernetes' messages. */
const forbidden: readonly (readonly [string, string, (value: unknown) => boolean])[] = [
  ["type", "must be empty to be structural", (value) => value !== ""],
  ["additionalProperties", "must be undefined to be structural", () => true],
  ["default", "must be undefined to be structural", () => true],
  ["title", "must be empty to be structural", (value) => value !== ""],
  ["description", "must be empty to be structural", (value) => value !== ""],
  ["nullable", "must be false to be structural", (value) => value === true],
  [extension("preserve-unknown-fields"), "must be false to be structural", (value) => value === true],
  [extension("embedded-resource"), "must be false to be structural", (value) => value === true],
  [extension("int-or-string"), "must be false to be structural", (value) => value === true],
  [
    extension("list-map-keys"),
    "must be empty to be structural",
    (value) => Array.isArray(value) && value.length > 0,
  ],
  [extension("list-type"), "must be undefined to be structural", () => true],
  [extension("map-type"), "must be undefined to be structural", () => true],
  [
    extension("validations"),
    "must be empty to be structural",
    (value) => Array.isArray(value) && value.length > 0,
  ],
];

function checkNested(schema: unknown, path: string, causes: StatusCause[], exceptions: Exceptions): void {
  checkValueValidation(schema, path, causes, exceptions);
  const items = valueAt(schema, "items");
  if (isPlainObject(items)) checkNested(items, `${path}.items`, causes, noExceptions);
  const properties = objectAt(schema, "properties");
  for (const [name, property] of Object.entries(properties)) {
    checkNested(property, `${path}.properties[${name}]`, causes, noExceptions);
  }
  for (const [member, why, applies] of forbidden) {
    const value = valueAt(schema, member);
    if (value !== undefined && applies(value)) causes.push(fieldError.forbidden(`${path}.${member}`, why));
  }
  if (Object.hasOwn(properties, "metadata")) {
    const why = "must not be specified in a nested context";
    causes.push(fieldError.forbidden(`${path}.properties[metadata]`, why));
  }
}

/** Requires that all fields in alternatives are also declared in the schema itself. */
function checkCompleteness(schema: unknown, path: string, causes: StatusCause[]): void {
  checkAlternatives(schema, schema, path, path, causes);
}

function checkAlternatives(
  nested: unknown,
  declared: unknown,
  declaredPath: string,
  path: string,
  causes: StatusCause[],
): void {
  for (const word of ["allOf", "anyOf", "oneOf"]) {
    for (const [at, each] of listAt(nested, word).entries()) {
      checkDeclared(each, declared, declaredPath, `${path}.${word}[${at}]`, causes);
    }
  }
  const not = valueAt(nested, "not");
  if (isPlainObject(not)) checkDeclared(not, declared, declaredPath, `${path}.not`, causes);
}

function checkDeclared(
  nested: unknown,
  declared: unknown,
  declaredPath: string,
  path: string,
  causes: StatusCause[],
): void {
  checkAlternatives(nested, declared, declaredPath, path, causes);
  const members = Object.entries(objectAt(nested, "properties")).map(
    ([name, each]) => [`properties[${name}]`, each, valueAt(declared, "properties", name)] as const,
  );
  const items = valueAt(nested, "items");
  const both = isPlainObject(items)
    ? [...members, ["items", items, valueAt(declared, "items")] as const]
    : members;
  for (const [step, each, known] of both) {
    const field = `${declaredPath}.${step}`;
    if (known === undefined)
      causes.push(fieldError.required(field, `because it is defined in ${path}.${step}`));
    else checkDeclared(each, known, field, `${path}.${step}`, causes);
  }
}
