import type { JsonObject, JsonValue } from "@keelson/base";
import type { TemplateBudget } from "./template-budget.ts";

/** Default scope of a deployment's resources. */
export interface Place {
  readonly subscriptionId: string;
  /** Name of the resource group. `undefined` at the scope of the subscription. */
  readonly group: string | undefined;
}

/** Loop iteration around an expression. */
export interface Loop {
  readonly name: string;
  readonly index: number;
}

/** Environment of an expression's functions. Missing values throw an `ExpressionError`. */
export interface Context {
  readonly place: Place;
  readonly now: Date;
  /** Remaining budget of the evaluation. */
  readonly budget: TemplateBudget;
  /** Innermost last. */
  readonly loops: readonly Loop[];
  /** True if `newGuid` and `utcNow` are allowed: in defaults of parameters only. */
  readonly inDefault: boolean;
  parameter(name: string): JsonValue;
  variable(name: string): JsonValue;
  /** Result of `subscription()`, `tenant()`, `resourceGroup()`, `deployment()` and `environment()`. */
  surroundings(name: string): JsonObject;
  /** `undefined` if the template has no such function. */
  userFunction(name: string, args: readonly JsonValue[]): JsonValue | undefined;
  /** `reference` and `references`, by their arguments. */
  reference(name: string, args: readonly JsonValue[]): JsonValue;
  /** `list*`. */
  list(name: string, args: readonly JsonValue[]): JsonValue;
  /** Resource of the template by its symbolic name. */
  resourceInfo(symbol: string): JsonObject;
}

export function withLoop(context: Context, name: string, index: number): Context {
  return { ...context, loops: [...context.loops, { name, index }] };
}

/** The ID that relative resource IDs start with. */
export function scopeId({ subscriptionId, group }: Place): string {
  return `/subscriptions/${subscriptionId}${group === undefined ? "" : `/resourceGroups/${group}`}`;
}
