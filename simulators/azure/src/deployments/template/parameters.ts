import type { JsonObject, JsonValue } from "@keelson/base";
import { ArmError } from "../../arm/arm-error.ts";
import { isJsonObject, members, nonEmptyStringAt } from "../../base/json.ts";
import { ExpressionError, invalidTemplate, naming } from "../errors/template-error.ts";
import { evaluateJson } from "../evaluation/evaluate-json.ts";
import { describeType } from "../functions/signature.ts";
import { textOf } from "../functions/text.ts";
import { valueKey } from "../functions/value-key.ts";
import type { Context } from "../language/context.ts";
import type { TemplateBudget } from "../language/template-budget.ts";
import { entriesByName, type FindEntry, resolveReference, type Template } from "./template.ts";

/** Display name and accepted JSON types of each parameter type. */
const types: Readonly<Record<string, { readonly shown: string; readonly takes: readonly string[] }>> = {
  string: { shown: "String", takes: ["String"] },
  securestring: { shown: "SecureString", takes: ["String"] },
  int: { shown: "Int", takes: ["Integer"] },
  bool: { shown: "Bool", takes: ["Boolean"] },
  object: { shown: "Object", takes: ["Object"] },
  secureobject: { shown: "SecureObject", takes: ["Object"] },
  array: { shown: "Array", takes: ["Array"] },
};

/** Returns the type name of a parameter or output in responses. @throws ArmError */
export function shownType(kind: "parameter" | "output", name: string, declaration: JsonObject): string {
  const type = nonEmptyStringAt(declaration, "type") ?? "";
  const known = types[type.toLowerCase()];
  if (known) return known.shown;
  throw invalidTemplate(
    `The template ${kind} '${name}' has the type '${type}', which is not valid. Please see https://aka.ms/arm-syntax-parameters for usage details`,
  );
}

/** Maximum number of unknown parameters listed in an error message. */
const maxNamesShown = 100;

/**
 * True for the parameter types `SecureString` and `SecureObject`. Values of these types are not returned in responses, and they
 * are deleted after the deployment.
 */
export function isSecure(shown: string): boolean {
  return shown.startsWith("Secure");
}

/**
 * Returns the values of all template parameters. `given` has the form `{ name: { value } }`. Missing values are taken from
 * defaults.
 * @throws ArmError 400 InvalidTemplate
 */
export function resolveParameters(template: Template, given: JsonObject, base: Context): JsonObject {
  const declarationOf = entriesByName(template.parameters);
  checkKnown(template, declarationOf, given);
  const givenOf = entriesByName(given);
  const { budget } = base;
  const resolved = new Map<string, JsonValue>();
  const resolving = new Set<string>();
  const parameter = (wanted: string): JsonValue => {
    const declared = declarationOf(wanted);
    if (!declared) throw undefinedParameter(wanted);
    const [name] = declared;
    const known = resolved.get(name);
    if (known !== undefined) return known;
    if (resolving.has(name)) {
      throw new ExpressionError(
        `Circular reference detected in the default value of the parameter '${name}'`,
      );
    }
    resolving.add(name);
    const declaration = resolveReference(template, members(declared[1]), budget);
    const context = { ...base, inDefault: true, parameter };
    const value = naming("parameter", name, () => rawValue(name, declaration, givenOf(name)?.[1], context));
    budget.measure(value);
    if (value !== null || declaration.nullable !== true) checkValue(name, declaration, value, budget);
    resolved.set(name, value);
    resolving.delete(name);
    return value;
  };
  return Object.fromEntries(Object.keys(template.parameters).map((name) => [name, parameter(name)]));
}

/** Returns the parameters in the format of responses. */
export function shownParameters(template: Template, values: JsonObject, budget: TemplateBudget): JsonObject {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const type = shownType(
        "parameter",
        name,
        resolveReference(template, members(template.parameters[name]), budget),
      );
      return [name, isSecure(type) ? { type } : { type, value: value ?? null }];
    }),
  );
}

export function undefinedParameter(name: string): ExpressionError {
  return new ExpressionError(
    `The template parameter '${name}' is not found. Please see https://aka.ms/arm-syntax-parameters for usage details`,
  );
}

function rawValue(
  name: string,
  declaration: JsonObject,
  passed: JsonValue | undefined,
  context: Context,
): JsonValue {
  if (isJsonObject(passed) && isJsonObject(passed.reference)) {
    const vault = nonEmptyStringAt(passed.reference, "keyVault", "id") ?? "";
    throw new ArmError(
      400,
      "KeyVaultParameterReferenceNotFound",
      `The specified KeyVault '${vault}' could not be found.`,
    );
  }
  const value = isJsonObject(passed) ? passed.value : undefined;
  if (value !== undefined && !(value === null && declaration.defaultValue !== undefined)) return value;
  if (declaration.defaultValue !== undefined) return evaluateJson(declaration.defaultValue, context);
  if (declaration.nullable === true) return null;
  throw invalidTemplate(
    `The value for the template parameter '${name}' is not provided. Please see https://aka.ms/arm-create-parameter-file for usage details`,
  );
}

function checkKnown(template: Template, declarationOf: FindEntry, given: JsonObject): void {
  const unknown = Object.keys(given).filter((name) => !declarationOf(name));
  if (unknown.length === 0) return;
  throw invalidTemplate(
    `The template parameters '${unknown.slice(0, maxNamesShown).join(", ")}' in the parameters file are not valid; they are not present in the original template and can therefore not be provided at deployment time. The only supported parameters for this template are '${Object.keys(template.parameters).join(", ")}'. Please see https://aka.ms/arm-pass-parameter-values for usage details`,
  );
}

function checkValue(name: string, declaration: JsonObject, value: JsonValue, budget: TemplateBudget): void {
  shownType("parameter", name, declaration);
  const wanted = types[(nonEmptyStringAt(declaration, "type") ?? "").toLowerCase()]?.takes ?? [];
  const actual = describeType(value);
  if (!wanted.includes(actual)) {
    throw invalidTemplate(
      `Template parameter JToken type is not valid. Expected '${wanted.join(", ")}'. Actual '${actual}'. Please see https://aka.ms/arm-create-parameter-file for usage details`,
    );
  }
  const allowed = declaration.allowedValues;
  if (Array.isArray(allowed) && !isAllowed(allowed, value, budget)) {
    throw notValid(
      name,
      `The value '${textOf(value, budget)}' is not part of the allowed value(s): '${allowed.map((each) => textOf(each, budget)).join(",")}'`,
    );
  }
  const length = typeof value === "string" || Array.isArray(value) ? value.length : undefined;
  checkBounds(name, "Length of the value", length, declaration.minLength, declaration.maxLength);
  const number = typeof value === "number" ? value : undefined;
  checkBounds(name, "The value", number, declaration.minValue, declaration.maxValue);
}

/**
 * True if the parameter definition allows the value. An array is allowed if all its elements are allowed, or if the array itself
 * is in the list.
 */
function isAllowed(allowed: readonly JsonValue[], value: JsonValue, budget: TemplateBudget): boolean {
  const keyOf = (each: JsonValue) =>
    typeof each === "string" ? valueKey(each, budget).toLowerCase() : valueKey(each, budget);
  const keys = new Set(allowed.map(keyOf));
  return (
    keys.has(keyOf(value)) ||
    (Array.isArray(value) && value.every((each: JsonValue) => keys.has(keyOf(each))))
  );
}

function checkBounds(
  name: string,
  what: string,
  value: number | undefined,
  least: JsonValue | undefined,
  most: JsonValue | undefined,
): void {
  if (value === undefined) return;
  if (typeof least === "number" && value < least) {
    throw notValid(name, `${what} should be greater than or equal to '${least}'`);
  }
  if (typeof most === "number" && value > most) {
    throw notValid(name, `${what} should be less than or equal to '${most}'`);
  }
}

function notValid(name: string, reason: string): ArmError {
  return invalidTemplate(`The provided value for the template parameter '${name}' is not valid. ${reason}`);
}
