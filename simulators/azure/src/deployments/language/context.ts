import type { JsonObject, JsonValue } from "@keelson/base";
import type { TemplateBudget } from "./template-budget.ts";

/** Scope in which a deployment creates its resources by default. */
export interface Place {
  readonly subscriptionId: string;
  /** Resource group name. `undefined` at subscription scope. */
  readonly group: string | undefined;
}

/** Current iteration of a loop that contains the expression. */
export interface Loop {
  readonly name: string;
  readonly index: number;
}

/** Environment in which functions of expressions are evaluated. Access to a missing value throws an `ExpressionError`. */
export interface Context {
  readonly place: Place;
  readonly now: Date;
  /** Remaining budget for the evaluation. */
  readonly budget: TemplateBudget;
  /** Loops that contain the expression, innermost last. */
  readonly loops: readonly Loop[];
  /** True while a parameter default is evaluated. Only parameter defaults may use `newGuid` and `utcNow`. */
  readonly inDefault: boolean;
  parameter(name: string): JsonValue;
  variable(name: string): JsonValue;
  /** Returns the result of `subscription()`, `tenant()`, `resourceGroup()`, `deployment()` or `environment()`. */
  surroundings(name: string): JsonObject;
  /** Calls a user-defined function. Returns `undefined` if the template does not define it. */
  userFunction(name: string, args: readonly JsonValue[]): JsonValue | undefined;
  /** Evaluates `reference` or `references` with these arguments. */
  reference(name: string, args: readonly JsonValue[]): JsonValue;
  /** Evaluates a `list*` function. */
  list(name: string, args: readonly JsonValue[]): JsonValue;
  /** Returns a template resource by its symbolic name. */
  resourceInfo(symbol: string): JsonObject;
}

export function withLoop(context: Context, name: string, index: number): Context {
  return { ...context, loops: [...context.loops, { name, index }] };
}

/** Returns the prefix of relative resource IDs. */
export function scopeId({ subscriptionId, group }: Place): string {
  return `/subscriptions/${subscriptionId}${group === undefined ? "" : `/resourceGroups/${group}`}`;
}
