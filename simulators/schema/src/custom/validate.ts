import { fieldError, maxCauses, requestBudget, type StatusCause } from "@keelson/apimachinery";
import { exactJson, isPlainObject, type WorkBudget } from "@keelson/base";
import { stepsPerNode } from "@keelson/cel";
import type { Correlated } from "./correlation.ts";
import { isListed } from "./enum-values.ts";
import { hasFormat } from "./formats.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/** Field name in errors that Kubernetes reports for the complete object. */
const rooted = "";

/**
 * Validates `value` with Kubernetes' messages. An empty field in an error means the complete value. If there is an old value,
 * errors of unchanged values are tolerated.
 */
export function validate(
  schema: StructuralSchema,
  value: unknown,
  path = "",
  correlated?: Correlated,
  budget: WorkBudget = requestBudget(),
): readonly StatusCause[] {
  const causes: StatusCause[] = [];
  check({ schema, value, path, correlated, budget }, causes);
  return causes.slice(0, maxCauses);
}

interface Subject {
  readonly schema: StructuralSchema;
  readonly value: unknown;
  readonly path: string;
  readonly correlated: Correlated | undefined;
  readonly budget: WorkBudget;
}

function check(subject: Subject, causes: StatusCause[]): void {
  // Fast path: an unchanged value needs no validation. An update usually changes only a small part, and a comparison is much
  // cheaper than a validation.
  if (causes.length >= maxCauses || subject.correlated?.isSame()) return;
  const before = causes.length;
  checkAnyway(subject, causes);
  if (causes.length > before && subject.correlated?.unchanged()) causes.length = before;
}

function checkAnyway(subject: Subject, causes: StatusCause[]): void {
  const { schema, value, path, budget } = subject;
  budget.spend(1 + schema.required.length);
  const found = typeName(value);
  if (value === null) {
    if (!schema.nullable && (schema.type !== undefined || schema.intOrString)) {
      causes.push(wrongType(path, found, schema));
    }
    checkEnum(schema, value, path, causes);
    return;
  }
  if (!hasType(schema, value)) causes.push(wrongType(path, found, schema));
  checkCombinations(subject, causes);
  if (typeof value === "string") checkText(subject, value, causes);
  else if (typeof value === "number" || typeof value === "bigint") checkNumber(schema, value, path, causes);
  else if (Array.isArray(value)) checkList(subject, value, causes);
  checkEnum(schema, value, path, causes);
  if (isPlainObject(value)) checkObject(subject, value, causes);
}

function wrongType(path: string, found: string, schema: StructuralSchema): StatusCause {
  const wanted = schema.intOrString ? "integer,string" : (schema.type ?? "object");
  return fieldError.typeInvalid(path, found, `${path} in body must be of type ${wanted}: "${found}"`);
}

function checkEnum(schema: StructuralSchema, value: unknown, path: string, causes: StatusCause[]): void {
  if (!schema.enum || isListed(schema.enum, value)) return;
  const supported = schema.enum.map((each) => (typeof each === "string" ? each : exactJson(each)));
  causes.push(fieldError.notSupported(path, value, supported));
}

function typeName(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  if (typeof value === "bigint") return "integer";
  return typeof value;
}

function hasType(schema: StructuralSchema, value: unknown): boolean {
  const found = typeName(value);
  if (schema.intOrString) return found === "integer" || found === "string";
  if (schema.type === undefined) return true;
  return found === schema.type || (schema.type === "number" && found === "integer");
}

/** Checks the length, pattern and format of a string. If the length is invalid, the pattern is not checked. */
function checkText({ schema, path, budget }: Subject, value: string, causes: StatusCause[]): void {
  const { minLength, maxLength, pattern, format } = schema;
  budget.spend(1 + (pattern?.steps(value) ?? 0) / stepsPerNode, value.length);
  const length = maxLength !== undefined || minLength !== undefined ? characterCount(value) : 0;
  if (maxLength !== undefined && length > maxLength) causes.push(fieldError.tooLong(path, maxLength));
  else if (minLength !== undefined && length < minLength) {
    causes.push(
      fieldError.invalid(path, value, `${path} in body should be at least ${minLength} chars long`),
    );
  } else if (pattern && !pattern.matches(value)) {
    causes.push(fieldError.invalid(path, value, `${path} in body should match '${pattern.text}'`));
  }
  if (format && (schema.type === undefined || schema.type === "string") && !hasFormat(format, value)) {
    const why = `${path} in body must be of type ${format}: ${JSON.stringify(value)}`;
    causes.push(fieldError.typeInvalid(path, value, why));
  }
}

function characterCount(value: string): number {
  return /[\ud800-\udfff]/.test(value) ? [...value].length : value.length;
}

function checkNumber(
  schema: StructuralSchema,
  value: number | bigint,
  path: string,
  causes: StatusCause[],
): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = schema;
  const fail = (what: string) =>
    causes.push(fieldError.invalid(path, value, `${path} in body should be ${what}`));
  if (schema.type === "integer" && format === "int32" && (value > 2_147_483_647 || value < -2_147_483_648)) {
    const why = `Checked value must be of type integer with format int32 in ${path}`;
    causes.push(fieldError.invalid(rooted, "", why));
  }
  if (multipleOf && !isMultiple(value, multipleOf)) fail(`a multiple of ${multipleOf}`);
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)) {
    fail(`less than ${exclusiveMaximum ? "" : "or equal to "}${maximum}`);
  }
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) {
    fail(`greater than ${exclusiveMinimum ? "" : "or equal to "}${minimum}`);
  }
}

/** True if `value` is a multiple of `of`, within the floating-point tolerance. For example, 0.3 is a multiple of 0.1. */
function isMultiple(value: number | bigint, of: number): boolean {
  if (typeof value === "bigint" && Number.isInteger(of)) return value % BigInt(of) === 0n;
  const times = Number(value) / of;
  return Math.abs(times - Math.round(times)) < 1e-9 * Math.max(1, Math.abs(times));
}

function checkList(
  { schema, path, correlated, budget }: Subject,
  value: readonly unknown[],
  causes: StatusCause[],
): void {
  const { minItems, maxItems, items, uniqueItems } = schema;
  if (maxItems !== undefined && value.length > maxItems) {
    causes.push(fieldError.tooMany(path, value.length, maxItems));
  }
  if (items) {
    for (const [at, each] of value.entries()) {
      if (causes.length >= maxCauses) return;
      const element = correlated?.element(schema, each);
      check({ schema: items, value: each, path: `${path}[${at}]`, correlated: element, budget }, causes);
    }
  }
  if (minItems !== undefined && value.length < minItems) {
    causes.push(
      fieldError.invalid(path, value.length, `${path} in body should have at least ${minItems} items`),
    );
  }
  if (uniqueItems && new Set(value.map((each) => exactJson(each))).size < value.length) {
    causes.push(fieldError.invalid(path, "", `${path} in body shouldn't contain duplicates`));
  }
}

function checkObject(
  { schema, path, correlated, budget }: Subject,
  value: Readonly<Record<string, unknown>>,
  causes: StatusCause[],
): void {
  const { minProperties, maxProperties, required, properties, additionalProperties } = schema;
  const names = Object.keys(value);
  if (minProperties !== undefined && names.length < minProperties) {
    const why = `${path} in body should have at least ${minProperties} properties`;
    causes.push(fieldError.invalid(path, names.length, why));
  }
  if (maxProperties !== undefined && names.length > maxProperties) {
    causes.push(fieldError.tooMany(path, names.length, maxProperties));
  }
  for (const name of names) {
    const known = properties.get(name) ?? additionalProperties;
    if (!known || known === "any") continue;
    const member = value[name];
    const old =
      path === "" && (name === "apiVersion" || name === "kind")
        ? undefined
        : correlated?.member(name, member);
    const inside = path ? `${path}.${name}` : name;
    check({ schema: known, value: member, path: inside, correlated: old, budget }, causes);
  }
  for (const name of required) {
    if (!Object.hasOwn(value, name)) causes.push(fieldError.required(path ? `${path}.${name}` : name));
  }
}

/**
 * Validates `anyOf`, `oneOf`, `allOf` and `not`. If all alternatives fail, the errors of the best matching alternative are also
 * reported.
 */
function checkCombinations(subject: Subject, causes: StatusCause[]): void {
  const { schema, path } = subject;
  const { allOf, anyOf, oneOf, not } = schema;
  const trial = (each: StructuralSchema): readonly StatusCause[] => {
    const found: StatusCause[] = [];
    checkAnyway({ ...subject, schema: each }, found);
    return found;
  };
  if (anyOf.length > 0) {
    const trials = anyOf.map(trial);
    if (trials.every((found) => found.length > 0)) {
      causes.push(fieldError.invalid(rooted, "", `"${path}" must validate at least one schema (anyOf)`));
      causes.push(...leastWrong(trials));
    }
  }
  if (oneOf.length > 0) {
    const trials = oneOf.map(trial);
    const valid = trials.filter((found) => found.length === 0).length;
    if (valid !== 1) {
      const found = valid === 0 ? "Found none valid" : `Found ${valid} valid alternatives`;
      const why = `"${path}" must validate one and only one schema (oneOf). ${found}`;
      causes.push(fieldError.invalid(rooted, "", why));
      if (valid === 0) causes.push(...leastWrong(trials));
    }
  }
  if (allOf.length > 0) {
    const trials = allOf.map(trial);
    causes.push(...trials.flat());
    const valid = trials.filter((found) => found.length === 0).length;
    if (valid < allOf.length) {
      const why = `"${path}" must validate all the schemas (allOf)${valid === 0 ? ". None validated" : ""}`;
      causes.push(fieldError.invalid(rooted, "", why));
    }
  }
  if (not && trial(not).length === 0) {
    causes.push(fieldError.invalid(rooted, "", `"${path}" must not validate the schema (not)`));
  }
}

function leastWrong(trials: readonly (readonly StatusCause[])[]): readonly StatusCause[] {
  return trials.reduce((best, each) => (each.length < best.length ? each : best));
}
