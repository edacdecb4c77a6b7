import type { JsonObject } from "@keelson/base";
import { without } from "../../base/json.ts";
import type { Context, Loop, Place } from "../language/context.ts";

/** One resource that a template asks for: loops are unrolled, children stand beside their parents. */
export interface PlannedResource {
  readonly id: string;
  /** With its namespace. */
  readonly type: string;
  /** With its parents' names: `vnet/subnet`. */
  readonly name: string;
  readonly apiVersion: string;
  /** In a template with symbolic names. */
  readonly symbol: string | undefined;
  readonly loop: Loop | undefined;
  /** The loop it comes from, which others may depend on as a whole. */
  readonly loopName: string | undefined;
  /** It is only read. */
  readonly existing: boolean;
  /** Its condition does not hold. */
  readonly skipped: boolean;
  /** As it stands in the template. */
  readonly definition: JsonObject;
  readonly context: Context;
  /** Where it goes, which for the resources of a nested deployment is not where its expressions are read. */
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

/** The name by which expressions of the template call a resource: `symbol`, or `symbol[2]` in a loop. */
export function symbolOf({ symbol, loop }: PlannedResource): string | undefined {
  return symbol === undefined || !loop ? symbol : `${symbol}[${loop.index}]`;
}
