import type { JsonObject } from "@keelson/base";
import { without } from "../../base/json.ts";
import type { Context, Loop, Place } from "../language/context.ts";

/** Resource of a template, after expansion of loops and nested resources. */
export interface PlannedResource {
  readonly id: string;
  /** Type with its namespace. */
  readonly type: string;
  /** Name with its parents' names: `vnet/subnet`. */
  readonly name: string;
  readonly apiVersion: string;
  /** Symbolic name, if the template has them. */
  readonly symbol: string | undefined;
  readonly loop: Loop | undefined;
  /** Loop of the resource. Other resources can depend on the complete loop. */
  readonly loopName: string | undefined;
  /** True if the resource is only read. */
  readonly existing: boolean;
  /** True if its condition is false. */
  readonly skipped: boolean;
  /** Definition in the template. */
  readonly definition: JsonObject;
  readonly context: Context;
  /**
   * Target scope. For the resources of a nested deployment it can differ from the scope of the expressions.
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

/** The parts of a definition that a write of the resource carries, not yet evaluated. */
export function bodyOf(resource: PlannedResource): JsonObject {
  return without(resource.definition, notSent);
}

export function isDeployment({ type }: Pick<PlannedResource, "type">): boolean {
  return type.toLowerCase() === "microsoft.resources/deployments";
}

/** Name of a resource in expressions of the template: `symbol`, or `symbol[2]` in a loop. */
export function symbolOf({ symbol, loop }: PlannedResource): string | undefined {
  return symbol === undefined || !loop ? symbol : `${symbol}[${loop.index}]`;
}
