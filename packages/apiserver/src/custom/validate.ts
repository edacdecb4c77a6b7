import { isDeepStrictEqual } from "node:util";
import { isPlainObject } from "@keelson/base";
import { fieldError } from "../status/field-error.ts";
import type { StatusCause } from "../status/status-error.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/** No answer lists more errors: a large object can be wrong in every element. */
const maxCauses = 100;

/** What is wrong with `value`, field by field, in Kubernetes' words. */
export function validate(schema: StructuralSchema, value: unknown, path = ""): readonly StatusCause[] {
  const causes: StatusCause[] = [];
  check(schema, value, path, causes);
  return causes.slice(0, maxCauses);
}

function check(schema: StructuralSchema, value: unknown, path: string, causes: StatusCause[]): void {
  if (causes.length >= maxCauses) return;
  if (value === null && schema.nullable) return;
  const found = typeName(value);
  if (!hasType(schema, value)) {
    const wanted = schema.intOrString ? "integer,string" : (schema.type ?? "object");
    causes.push(fieldError.typeInvalid(path, found, `${path} in body must be of type ${wanted}: "${found}"`));
    return;
  }
  if (schema.enum && !schema.enum.some((each) => isDeepStrictEqual(each, value))) {
    causes.push(fieldError.notSupported(path, value, schema.enum));
  }
  if (typeof value === "string") checkText(schema, value, path, causes);
  else if (typeof value === "number") checkNumber(schema, value, path, causes);
  else if (Array.isArray(value)) checkList(schema, value, path, causes);
  else if (isPlainObject(value)) checkObject(schema, value, path, causes);
  checkCombinations(schema, value, path, causes);
}

function typeName(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

function hasType(schema: StructuralSchema, value: unknown): boolean {
  const found = typeName(value);
  if (schema.intOrString) return found === "integer" || found === "string";
  if (schema.type === undefined) return true;
  return found === schema.type || (schema.type === "number" && found === "integer");
}

function checkText(schema: StructuralSchema, value: string, path: string, causes: StatusCause[]): void {
  const { minLength, maxLength, pattern, format } = schema;
  const length = maxLength !== undefined || minLength !== undefined ? [...value].length : 0;
  if (maxLength !== undefined && length > maxLength) causes.push(fieldError.tooLong(path, maxLength));
  if (minLength !== undefined && length < minLength) {
    causes.push(
      fieldError.invalid(path, value, `${path} in body should be at least ${minLength} chars long`),
    );
  }
  if (pattern && !pattern.regExp.test(value)) {
    causes.push(fieldError.invalid(path, value, `${path} in body should match '${pattern.text}'`));
  }
  if (format === "date-time" && !isDateTime(value)) {
    causes.push(
      fieldError.invalid(path, value, `${path} in body must be of type date-time: ${JSON.stringify(value)}`),
    );
  }
}

function isDateTime(value: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(value) &&
    !Number.isNaN(Date.parse(value))
  );
}

function checkNumber(schema: StructuralSchema, value: number, path: string, causes: StatusCause[]): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = schema;
  const fail = (what: string) =>
    causes.push(fieldError.invalid(path, value, `${path} in body should be ${what}`));
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) {
    fail(`greater than ${exclusiveMinimum ? "" : "or equal to "}${minimum}`);
  }
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)) {
    fail(`less than ${exclusiveMaximum ? "" : "or equal to "}${maximum}`);
  }
  if (multipleOf && !Number.isInteger(value / multipleOf)) fail(`a multiple of ${multipleOf}`);
  if (format === "int32" && (value > 2_147_483_647 || value < -2_147_483_648)) {
    causes.push(fieldError.invalid(path, value, `${path} in body must be of type int32: "${value}"`));
  }
}

function checkList(
  schema: StructuralSchema,
  value: readonly unknown[],
  path: string,
  causes: StatusCause[],
): void {
  const { minItems, maxItems, items, listType, listMapKeys } = schema;
  if (maxItems !== undefined && value.length > maxItems) {
    causes.push(fieldError.tooMany(path, value.length, maxItems));
    return;
  }
  if (minItems !== undefined && value.length < minItems) {
    causes.push(
      fieldError.invalid(path, value.length, `${path} in body should have at least ${minItems} items`),
    );
  }
  if (items) for (const [at, each] of value.entries()) check(items, each, `${path}[${at}]`, causes);
  if (listType !== "set" && listType !== "map") return;
  const seen = new Set<string>();
  for (const [at, each] of value.entries()) {
    const identity = listType === "set" || !isPlainObject(each) ? each : pick(each, listMapKeys);
    const text = JSON.stringify(identity);
    if (seen.has(text)) causes.push(fieldError.duplicate(`${path}[${at}]`, identity));
    seen.add(text);
  }
}

function pick(object: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(object, name)).map((name) => [name, object[name]]),
  );
}

function checkObject(
  schema: StructuralSchema,
  value: Readonly<Record<string, unknown>>,
  path: string,
  causes: StatusCause[],
): void {
  const { minProperties, maxProperties, required, properties, additionalProperties } = schema;
  const entries = Object.entries(value);
  if (maxProperties !== undefined && entries.length > maxProperties) {
    causes.push(fieldError.tooMany(path, entries.length, maxProperties));
  }
  if (minProperties !== undefined && entries.length < minProperties) {
    causes.push(
      fieldError.invalid(
        path,
        entries.length,
        `${path} in body should have at least ${minProperties} properties`,
      ),
    );
  }
  for (const name of required) {
    if (!Object.hasOwn(value, name)) causes.push(fieldError.required(path ? `${path}.${name}` : name));
  }
  for (const [name, member] of entries) {
    const known = properties.get(name) ?? additionalProperties;
    if (!known || known === "any") continue;
    check(known, member, path ? `${path}.${name}` : name, causes);
  }
}

function checkCombinations(
  schema: StructuralSchema,
  value: unknown,
  path: string,
  causes: StatusCause[],
): void {
  const passes = (each: StructuralSchema) => validate(each, value, path).length === 0;
  for (const each of schema.allOf) check(each, value, path, causes);
  if (schema.anyOf.length > 0 && !schema.anyOf.some(passes)) {
    causes.push(fieldError.invalid(path, "", `"${path}" must validate at least one schema (anyOf)`));
  }
  if (schema.oneOf.length > 0) {
    const valid = schema.oneOf.filter(passes).length;
    if (valid !== 1) {
      const found = valid === 0 ? "Found none valid" : `Found ${valid} valid alternatives`;
      causes.push(
        fieldError.invalid(path, "", `"${path}" must validate one and only one schema (oneOf). ${found}`),
      );
    }
  }
  if (schema.not && passes(schema.not)) {
    causes.push(fieldError.invalid(path, "", `"${path}" must not validate the schema (not)`));
  }
}
