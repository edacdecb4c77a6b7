import type { JsonObject, JsonValue } from "@keelson/base";
import { members, nonEmptyStringAt, objectsAt } from "../../base/json.ts";
import { ExpressionError } from "../errors/template-error.ts";
import { evaluateJson, loopsOf, unroll } from "../evaluation/evaluate-json.ts";
import type { Context, Place } from "../language/context.ts";
import type { TemplateBudget } from "../language/template-budget.ts";
import { undefinedParameter } from "./parameters.ts";
import { entriesByName, type Template } from "./template.ts";

/** Maximum nesting of user-defined function calls. */
const maxDepth = 32;

/** Error of a function that can be evaluated only while the deployment runs. */
export class NotYetKnown extends ExpressionError {
  constructor(name: string) {
    super(
      `The template function '${name}' is not expected at this location. Please see https://aka.ms/arm-functions for usage details`,
    );
    this.name = "NotYetKnown";
  }
}

export interface Surroundings {
  readonly place: Place;
  readonly now: Date;
  /** Results of the environment functions, such as `subscription()`, by function name. */
  readonly values: Readonly<Record<string, JsonObject>>;
}

/** Returns the evaluation context for parameter defaults. */
export function baseContext({ place, now, values }: Surroundings, budget: TemplateBudget): Context {
  return {
    place,
    now,
    budget,
    loops: [],
    inDefault: false,
    parameter: (name) => {
      throw undefinedParameter(name);
    },
    variable: (name) => {
      throw undefinedVariable(name);
    },
    surroundings(name) {
      const value = values[name];
      if (value) return value;
      throw new ExpressionError(
        `The template function '${name}' is not valid at the scope of this deployment`,
      );
    },
    userFunction: () => undefined,
    reference: (name) => {
      throw new NotYetKnown(name);
    },
    list: (name) => {
      throw new NotYetKnown(name);
    },
    resourceInfo: (symbol) => {
      throw new ExpressionError(`The resource '${symbol}' is not defined in the template`);
    },
  };
}

/** Returns the evaluation context for a template's expressions. It includes the parameter values. */
export function templateContext(
  template: Template,
  parameters: JsonObject,
  base: Context,
  depth = 0,
): Context {
  const find = entriesByName(parameters);
  const parameter = (name: string): JsonValue => {
    const found = find(name);
    if (found) return found[1];
    throw undefinedParameter(name);
  };
  const withParameters: Context = {
    ...base,
    parameter,
    userFunction: (name, args) => callUserFunction(template, base, name, args, depth + 1),
  };
  const context: Context = { ...withParameters, variable: (name) => variable(name) };
  const variable = variablesOf(template, context);
  return context;
}

/** Returns a lookup function for variables. Each variable is evaluated once, on first use. */
function variablesOf(template: Template, context: Context): (name: string) => JsonValue {
  const loops = new Map(
    (loopsOf(template.variables) ?? []).map((each) => [
      (nonEmptyStringAt(each, "name") ?? "").toLowerCase(),
      each,
    ]),
  );
  const find = entriesByName(template.variables);
  const known = new Map<string, JsonValue>();
  const evaluating = new Set<string>();
  const evaluated = (name: string): JsonValue | undefined => {
    const loop = loops.get(name);
    if (loop) return unroll(loop, context)[1];
    const [key, value] = find(name) ?? [];
    if (value === undefined || (loops.size > 0 && key?.toLowerCase() === "copy")) return undefined;
    return evaluateJson(value, context);
  };
  return (wanted) => {
    const name = wanted.toLowerCase();
    const before = known.get(name);
    if (before !== undefined) return before;
    if (evaluating.has(name)) {
      throw new ExpressionError(`Circular reference detected in the variable '${wanted}'`);
    }
    evaluating.add(name);
    const value = evaluated(name);
    evaluating.delete(name);
    if (value === undefined) throw undefinedVariable(wanted);
    known.set(name, value);
    return value;
  };
}

/** Calls a user-defined function. The function can access only its own parameters. */
function callUserFunction(
  template: Template,
  base: Context,
  name: string,
  args: readonly JsonValue[],
  depth: number,
): JsonValue | undefined {
  if (depth > maxDepth) throw new ExpressionError(`The function '${name}' is called without end`);
  const definition = template.functions.get(name.toLowerCase());
  if (!definition) return undefined;
  const names = objectsAt(definition, "parameters").map((each) => nonEmptyStringAt(each, "name") ?? "");
  base.budget.spend(names.length);
  if (names.length !== args.length) {
    throw new ExpressionError(
      `The function '${name}' requires '${names.length}' argument(s) while '${args.length}' were provided`,
    );
  }
  const values = Object.fromEntries(names.map((each, at) => [each, args[at] ?? null]));
  const output = members(definition.output).value ?? null;
  return evaluateJson(output, templateContext({ ...template, variables: {} }, values, base, depth));
}

function undefinedVariable(name: string): ExpressionError {
  return new ExpressionError(
    `The template variable '${name}' is not found. Please see https://aka.ms/arm-syntax-variables for usage details`,
  );
}
