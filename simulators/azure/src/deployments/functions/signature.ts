import type { JsonObject, JsonValue } from "@keelson/base";
import { isJsonObject } from "../../base/json.ts";
import { ExpressionError } from "../errors/template-error.ts";
import type { Context } from "../language/context.ts";
import type { TemplateBudget } from "../language/template-budget.ts";

export interface TemplateFunction {
  readonly least: number;
  readonly most: number;
  run(args: readonly JsonValue[], context: Context, name: string): JsonValue;
}

export type Functions = Readonly<Record<string, TemplateFunction>>;

export function takes(
  least: number,
  most: number,
  run: (args: Arguments, context: Context) => JsonValue,
): TemplateFunction {
  return {
    least,
    most,
    run: (values, context, name) => run(new Arguments(name, values, context.budget), context),
  };
}

/** Arguments of a function call, with conversion to the expected types. */
export class Arguments {
  readonly name: string;
  readonly values: readonly JsonValue[];
  /** Evaluation budget. The strings and elements of the arguments are already charged to the budget. */
  readonly budget: TemplateBudget;

  constructor(name: string, values: readonly JsonValue[], budget: TemplateBudget) {
    this.name = name;
    this.values = values;
    this.budget = budget;
  }

  get count(): number {
    return this.values.length;
  }

  any(at: number): JsonValue {
    return this.values[at] ?? null;
  }

  text(at: number): string {
    const value = this.any(at);
    return typeof value === "string" ? value : this.#refuse(at, "String");
  }

  /** Returns the string argument at index `at`, or `usual` if the call has no such argument. */
  textOr(at: number, usual: string): string {
    return at < this.count ? this.text(at) : usual;
  }

  texts(from = 0): readonly string[] {
    return this.values.slice(from).map((_, at) => this.text(from + at));
  }

  int(at: number): number {
    const value = this.any(at);
    return typeof value === "number" && Number.isInteger(value) ? value : this.#refuse(at, "Integer");
  }

  bool(at: number): boolean {
    const value = this.any(at);
    return typeof value === "boolean" ? value : this.#refuse(at, "Boolean");
  }

  array(at: number): readonly JsonValue[] {
    const value = this.any(at);
    return Array.isArray(value) ? value : this.#refuse(at, "Array");
  }

  object(at: number): JsonObject {
    const value = this.any(at);
    return isJsonObject(value) ? value : this.#refuse(at, "Object");
  }

  fail(reason: string): never {
    throw new ExpressionError(`The template language function '${this.name}' failed: ${reason}`);
  }

  #refuse(at: number, wanted: string): never {
    throw new ExpressionError(
      `The template language function '${this.name}' expects its parameter at position '${at + 1}' to be of type '${wanted}'. The provided value is of type '${describeType(this.any(at))}'. Please see https://aka.ms/arm-functions for usage details`,
    );
  }
}

/** Returns the type name of a value in ARM's error messages. */
export function describeType(value: JsonValue): string {
  if (value === null) return "Null";
  if (Array.isArray(value)) return "Array";
  switch (typeof value) {
    case "string":
      return "String";
    case "boolean":
      return "Boolean";
    case "number":
      return Number.isInteger(value) ? "Integer" : "Float";
    default:
      return "Object";
  }
}
