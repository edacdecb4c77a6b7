import type { JsonObject, JsonValue } from "@keelson/base";
import { isJsonObject, nonEmptyStringAt } from "../../base/json.ts";
import { ExpressionError, invalidTemplate, naming } from "../errors/template-error.ts";
import { evaluateText, loopCount } from "../evaluation/evaluate-json.ts";
import { resourceIdOf } from "../functions/resource-id.ts";
import { type Context, type Loop, type Place, scopeId, withLoop } from "../language/context.ts";
import type { PlannedResource } from "./planned-resource.ts";
import type { Template } from "./template.ts";

const maxResources = 800;

/** Parent resource of a resource that is defined inside the parent's definition. */
interface Parent {
  readonly name: string;
  readonly type: string;
}

/** Returns all resources of a template in document order. @throws ArmError 400 InvalidTemplate */
export function planResources(
  template: Template,
  context: Context,
  place: Place,
): readonly PlannedResource[] {
  const definitions: readonly (readonly [string | undefined, JsonValue])[] = Array.isArray(template.resources)
    ? template.resources.map((each: JsonValue) => [undefined, each] as const)
    : Object.entries(template.resources).map(([symbol, each]) => [symbol, each ?? null] as const);
  const planned = definitions.flatMap(([symbol, each]) => planDefinition(each, context, place, symbol));
  if (planned.length > maxResources) {
    throw invalidTemplate(
      `The number of template resources limit exceeded. Limit: '${maxResources}' and actual: '${planned.length}'`,
    );
  }
  checkDistinct(planned);
  return planned;
}

function planDefinition(
  definition: JsonValue,
  context: Context,
  place: Place,
  symbol?: string,
  parent?: Parent,
): readonly PlannedResource[] {
  if (!isJsonObject(definition)) throw invalidTemplate("A resource of the template is not an object");
  const { copy } = definition;
  const shownName = symbol ?? nonEmptyStringAt(definition, "name") ?? "";
  return naming("resource", shownName, () => {
    if (!isJsonObject(copy)) return planOne(definition, context, place, symbol, parent);
    const name = nonEmptyStringAt(copy, "name") ?? symbol ?? "";
    const count = loopCount(copy.count, name, context);
    context.budget.spend(count);
    const batch = nonEmptyStringAt(copy, "mode")?.toLowerCase() === "serial" ? batchSize(copy) : count;
    const instances = Array.from({ length: count }, (_, index) =>
      planOne(definition, withLoop(context, name, index), place, symbol, parent, { name, index }),
    );
    return instances.flatMap((each, index) =>
      index < batch ? each : each.map((one) => afterBatch(one, instances, index, batch)),
    );
  });
}

/**
 * Adds the dependencies of a serial loop to a resource. The resources of each batch depend on all resources of the previous
 * batch.
 */
function afterBatch(
  resource: PlannedResource,
  instances: readonly (readonly PlannedResource[])[],
  index: number,
  size: number,
): PlannedResource {
  const start = Math.floor(index / size) * size;
  const before = instances.slice(start - size, start).flatMap((each) => each.map(({ id }) => id));
  resource.context.budget.spend(before.length + resource.dependsOn.length);
  return { ...resource, dependsOn: [...resource.dependsOn, ...before] };
}

function batchSize(copy: JsonObject): number {
  return typeof copy.batchSize === "number" && copy.batchSize >= 1 ? Math.trunc(copy.batchSize) : 1;
}

/** Returns a resource and its nested resources. */
function planOne(
  definition: JsonObject,
  context: Context,
  place: Place,
  symbol: string | undefined,
  parent: Parent | undefined,
  loop?: Loop,
): readonly PlannedResource[] {
  const text = (member: string, required: boolean): string | undefined => {
    const value = definition[member];
    if (value === undefined || value === null) {
      if (required) throw new ExpressionError(`Required property '${member}' not found in JSON`);
      return undefined;
    }
    const evaluated = typeof value === "string" ? evaluateText(value, context) : value;
    if (typeof evaluated === "string" && (evaluated !== "" || !required)) return evaluated;
    throw new ExpressionError(`The property '${member}' must be a string and must not be empty`);
  };
  context.budget.spend(1);
  const ownName = text("name", true) ?? "";
  const name = parent ? `${parent.name}/${ownName}` : ownName;
  const type = parent ? `${parent.type}/${text("type", true)}` : (text("type", true) ?? "");
  const apiVersion = text("apiVersion", true) ?? "";
  const target: Place = {
    subscriptionId: text("subscriptionId", false) ?? place.subscriptionId,
    group:
      text("resourceGroup", false) ?? (definition.subscriptionId === undefined ? place.group : undefined),
  };
  const id = resourceIdOf(scopeOf(text("scope", false), target), type, [name]);
  if (id === undefined) {
    throw new ExpressionError(
      `The template resource '${name}' for type '${type}' has incorrect segment lengths. A nested resource type must have identical number of segments as its resource name. A root resource type must have segment length one greater than its resource name. Please see https://aka.ms/arm-syntax-resources for usage details`,
    );
  }
  const own: PlannedResource = {
    id,
    type,
    name,
    apiVersion,
    symbol,
    loop,
    loopName: loop?.name,
    existing: definition.existing === true,
    skipped: !conditionOf(definition, context),
    definition,
    context,
    place: target,
    dependsOn: dependsOnOf(definition, context),
  };
  const children = Array.isArray(definition.resources)
    ? definition.resources.map((each: JsonValue) => [undefined, each] as const)
    : Object.entries(isJsonObject(definition.resources) ? definition.resources : {});
  return [
    own,
    ...children.flatMap(([childSymbol, each]) =>
      planDefinition(each ?? null, context, place, childSymbol, { name, type }).map((child) =>
        own.skipped ? { ...child, skipped: true } : child,
      ),
    ),
  ];
}

/**
 * Returns the scope of an extension resource. `scope` is an ID, or the type and name of a resource in the template. Default: the
 * scope `place`.
 */
function scopeOf(scope: string | undefined, place: Place): string {
  if (scope === undefined || scope === "") return scopeId(place);
  if (scope === "/") return "";
  if (scope.startsWith("/")) return scope;
  const segments = scope.split("/");
  const [namespace = "", first = "", ...rest] = segments;
  const types = [first, ...rest.filter((_, at) => at % 2 === 1)];
  const names = rest.filter((_, at) => at % 2 === 0);
  const id = resourceIdOf(scopeId(place), [namespace, ...types].join("/"), names);
  if (id !== undefined) return id;
  throw new ExpressionError(`The scope '${scope}' is not a resource`);
}

function conditionOf({ condition }: JsonObject, context: Context): boolean {
  if (condition === undefined || condition === null) return true;
  const value = typeof condition === "string" ? evaluateText(condition, context) : condition;
  if (typeof value === "boolean") return value;
  if (typeof value === "string" && /^(true|false)$/i.test(value)) return value.toLowerCase() === "true";
  throw new ExpressionError("The condition must evaluate to a Boolean");
}

function dependsOnOf({ dependsOn }: JsonObject, context: Context): readonly string[] {
  if (dependsOn === undefined || dependsOn === null) return [];
  const value = typeof dependsOn === "string" ? evaluateText(dependsOn, context) : dependsOn;
  if (!Array.isArray(value)) throw new ExpressionError("The property 'dependsOn' must be an array");
  context.budget.spend(value.length);
  return value.flatMap((each: JsonValue) => {
    const target = typeof each === "string" ? evaluateText(each, context) : each;
    if (typeof target !== "string") {
      throw new ExpressionError("The property 'dependsOn' must contain strings");
    }
    return target === "" ? [] : [target];
  });
}

function checkDistinct(planned: readonly PlannedResource[]): void {
  const seen = new Set<string>();
  for (const { id, type, name, existing, skipped } of planned) {
    if (existing || skipped) continue;
    if (seen.has(id.toLowerCase())) {
      throw invalidTemplate(
        `The resource '${type}/${name}' is defined multiple times in a template. Please see https://aka.ms/arm-syntax-resources for usage details`,
      );
    }
    seen.add(id.toLowerCase());
  }
}
