import type { JsonObject } from "@keelson/base";
import { without } from "../../base/json.ts";
import type { Context, Loop, Place } from "../language/context.ts";

/** Template resource after the expansion of loops and nested resources. */
export interface PlannedResource {
  readonly id: string;
  /** Type with its namespace. */
  readonly type: string;
  /** Name including parent names: `vnet/subnet`. */
  readonly name: string;
  readonly apiVersion: string;
  /** Symbolic name, if the template uses symbolic names. */
  readonly symbol: string | undefined;
  readonly loop: Loop | undefined;
  /**
   * Name of the loop that creates the resource. With this name in `dependsOn`, other resources can depend on the complete loop.
   */
  readonly loopName: string | undefined;
  /** True if the resource is only read, not written. */
  readonly existing: boolean;
  /** True if the resource is not written, because its condition is false. */
  readonly skipped: boolean;
  /** Resource definition in the template. */
  readonly definition: JsonObject;
  readonly context: Context;
  /**
   * Scope to which the resource is written. In a nested deployment, this scope can differ from the scope in which expressions are
   * evaluated.
   */
  readonly place: Place;
  readonly dependsOn: readonly string[];
}

const notSent = [
  "name",
  "type",
  "apiVersion",
  "dependsOn",
  "condition",
  "copy",
  "resources",
  "scope",
  "comments",
  "metadata",
  "existing",
  "resourceGroup",
  "subscriptionId",
];

/** Returns the fields of a definition that are sent when the resource is written. Expressions are not evaluated yet. */
export function bodyOf(resource: PlannedResource): JsonObject {
  return without(resource.definition, notSent);
}

export function isDeployment({ type }: Pick<PlannedResource, "type">): boolean {
  return type.toLowerCase() === "microsoft.resources/deployments";
}

/** Returns the symbolic name used in template expressions: `symbol`, or `symbol[2]` in a loop. */
export function symbolOf({ symbol, loop }: PlannedResource): string | undefined {
  return symbol === undefined || !loop ? symbol : `${symbol}[${loop.index}]`;
}
