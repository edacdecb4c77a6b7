import type { JsonObject, JsonValue } from "@keelson/base";
import type { TemplateBudget } from "./template-budget.ts";

/** Where a deployment writes what says nothing else. */
export interface Place {
  readonly subscriptionId: string;
  /** The name of the resource group; `undefined` at the scope of the subscription. */
  readonly group: string | undefined;
}

/** An iteration that an expression stands in. */
export interface Loop {
  readonly name: string;
  readonly index: number;
}

/** What the functions of an expression see beside their arguments. What is absent throws an `ExpressionError`. */
export interface Context {
  readonly place: Place;
  readonly now: Date;
  /** What the evaluation may still take. */
  readonly budget: TemplateBudget;
  /** Innermost last. */
  readonly loops: readonly Loop[];
  /** Whether `newGuid` and `utcNow` may be called: only defaults of parameters may. */
  readonly inDefault: boolean;
  parameter(name: string): JsonValue;
  variable(name: string): JsonValue;
  /** What `subscription()`, `tenant()`, `resourceGroup()`, `deployment()` and `environment()` return. */
  surroundings(name: string): JsonObject;
  /** `undefined` when the template has no such function. */
  userFunction(name: string, args: readonly JsonValue[]): JsonValue | undefined;
  /** `reference` and `references`, by their arguments. */
  reference(name: string, args: readonly JsonValue[]): JsonValue;
  /** `list*`. */
  list(name: string, args: readonly JsonValue[]): JsonValue;
  /** A resource of the template by its symbolic name. */
  resourceInfo(symbol: string): JsonObject;
}

export function withLoop(context: Context, name: string, index: number): Context {
  return { ...context, loops: [...context.loops, { name, index }] };
}

/** The ID that relative resource IDs start with. */
export function scopeId({ subscriptionId, group }: Place): string {
  return `/subscriptions/${subscriptionId}${group === undefined ? "" : `/resourceGroups/${group}`}`;
}
