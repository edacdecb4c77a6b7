import type { JsonObject, JsonValue } from "@keelson/base";
import { lastSegment, parseResourceId } from "../arm/arm-path.ts";
import type { Subscription } from "../arm/subscription.ts";
import { members, without } from "../base/json.ts";
import { ExpressionError, naming } from "./errors/template-error.ts";
import { evaluateJson, evaluateText, type TextEvaluator } from "./evaluation/evaluate-json.ts";
import { templateHash } from "./functions/hash.ts";
import { type Context, type Place, scopeId } from "./language/context.ts";
import { TemplateBudget } from "./language/template-budget.ts";
import { contextIn, type Fetch } from "./lookups.ts";
import { evaluateOutputs } from "./outputs.ts";
import type { Parts } from "./parts.ts";
import type { Prepared } from "./prepared.ts";
import { surroundingsOf } from "./surroundings.ts";
import { isInner, requireInlineTemplate } from "./template/nested.ts";
import { dependenciesOf } from "./template/order.ts";
import { resolveParameters, shownParameters } from "./template/parameters.ts";
import { planResources } from "./template/plan.ts";
import { bodyOf, isDeployment, type PlannedResource } from "./template/planned-resource.ts";
import { ResourceIndex } from "./template/resource-index.ts";
import { readTemplate } from "./template/template.ts";
import { baseContext, NotYetKnown, templateContext } from "./template/template-context.ts";

export interface DeploymentRequest {
  readonly name: string;
  readonly place: Place;
  readonly location?: string | undefined;
  readonly mode: "Incremental" | "Complete";
  readonly template: JsonValue | undefined;
  readonly parameters: JsonObject;
  readonly baseUrl: string;
  /** Budget of the outer deployment. Default: a new budget. */
  readonly budget?: TemplateBudget;
  /** Context of the outer deployment. Set if expressions of this template are evaluated in the outer deployment's context. */
  readonly outer?: Context;
}

/** Evaluates a template in small units. @throws ArmError 400 InvalidTemplate; 404 for a missing group */
export function* prepare(subscription: Subscription, request: DeploymentRequest): Parts<Prepared> {
  const { name, mode, outer, location, budget = new TemplateBudget() } = request;
  const template = readTemplate(request.template);
  // Charges the hash computation to the budget. This computation serializes the template and converts it to upper case.
  budget.measure(template.source);
  const hash = templateHash(template.source);
  const surroundings = surroundingsOf(
    subscription,
    request.place,
    request.baseUrl,
    subscription.clock.now(),
    {
      name,
      ...(location ? { location } : {}),
      properties: {
        template: template.source,
        templateHash: hash,
        parameters: request.parameters,
        mode,
        provisioningState: "Accepted",
      },
    },
  );
  const base = baseContext(surroundings, budget);
  yield;
  const parameters = outer ? {} : budget.part(() => resolveParameters(template, request.parameters, base));
  yield;
  const context = outer ?? templateContext(template, parameters, base);
  const resources = budget.part(() => planResources(template, context, surroundings.place));
  yield;
  const index = new ResourceIndex(resources);
  const prepared: Prepared = {
    id: deploymentId(surroundings.place, name),
    name,
    place: surroundings.place,
    mode,
    template,
    hash,
    parameters,
    shownParameters: outer ? {} : shownParameters(template, parameters, budget),
    context,
    resources,
    index,
    dependencies: dependenciesOf(resources, index),
    isNested: outer !== undefined,
  };
  yield* checkExpressions(subscription, request, prepared);
  return prepared;
}

export function deploymentId(place: Place, name: string): string {
  return `${scopeId(place)}/providers/Microsoft.Resources/deployments/${name}`;
}

/** Lookup function for the time before any resource has been written. Every reference is unknown. */
export const nothingKnown: Fetch = () => {
  throw new NotYetKnown("reference");
};

/** Evaluates a string. If a value is known only while the deployment runs, returns the string unchanged. */
export const textIfKnown: TextEvaluator = (text, context) => {
  try {
    return evaluateText(text, context);
  } catch (error) {
    if (error instanceof NotYetKnown) return text;
    throw error;
  }
};

/** Maximum size of a template resource in bytes, as in Azure. */
const maxResourceBytes = 1024 * 1024;

/**
 * Returns the request body for writing a resource. The body of a nested deployment lacks the template, because the template is
 * evaluated separately.
 */
export function evaluateBody(
  resource: PlannedResource,
  context: Context,
  ofText: TextEvaluator = evaluateText,
): JsonObject {
  const body = bodyOf(resource);
  const evaluated = isDeployment(resource)
    ? { ...body, properties: without(members(body.properties), ["template"]) }
    : body;
  const written = members(context.budget.part(() => evaluateJson(evaluated, context, ofText)));
  const size = context.budget.measure(written);
  if (size <= maxResourceBytes) return written;
  throw new ExpressionError(
    `The resource has ${size} bytes once its expressions are evaluated, and a resource may have ${maxResourceBytes}`,
  );
}

/**
 * Returns the request for a nested deployment. `body` contains the evaluated properties of the nested deployment. The mode of a
 * nested deployment is always incremental.
 * @throws ArmError
 */
export function nestedRequest(
  resource: PlannedResource,
  body: JsonObject,
  context: Context,
  baseUrl: string,
): DeploymentRequest {
  const raw = members(resource.definition.properties);
  requireInlineTemplate(raw);
  const properties = members(body.properties);
  const inner = isInner(resource.definition);
  return {
    name: lastSegment(resource.id),
    place: resource.place,
    mode: "Incremental",
    template: raw.template,
    parameters: inner ? members(properties.parameters) : {},
    baseUrl,
    budget: context.budget,
    ...(inner ? {} : { outer: context }),
  };
}

/** Parses every expression. Evaluates the expressions that can be evaluated before resources are written. */
function* checkExpressions(
  subscription: Subscription,
  request: DeploymentRequest,
  prepared: Prepared,
): Parts<void> {
  for (const resource of prepared.resources) {
    if (resource.skipped) continue;
    const context = contextIn(prepared, resource, nothingKnown);
    const body = naming("resource", resource.name, () => evaluateBody(resource, context, textIfKnown));
    yield;
    if (isDeployment(resource) && !resource.existing) {
      yield* checkNested(subscription, request, resource, body, context);
    }
  }
  prepared.context.budget.part(() => evaluateOutputs(prepared, nothingKnown, textIfKnown));
}

function* checkNested(
  subscription: Subscription,
  { baseUrl }: DeploymentRequest,
  resource: PlannedResource,
  body: JsonObject,
  context: Context,
): Parts<void> {
  const nested = nestedRequest(resource, body, context, baseUrl);
  const groupIsThere =
    nested.place.group === undefined || subscription.groups.get(groupKey(nested.place)) !== undefined;
  if (groupIsThere && areKnown(nested.parameters, resource, context)) yield* prepare(subscription, nested);
}

/** True if the parameters of a nested deployment can be evaluated before any resource is written. */
function areKnown(given: JsonObject, { definition }: PlannedResource, context: Context): boolean {
  if (Object.keys(given).length === 0) return true;
  try {
    evaluateJson(members(definition.properties).parameters ?? null, context);
    return true;
  } catch (error) {
    if (error instanceof NotYetKnown) return false;
    throw error;
  }
}

function groupKey({ group = "" }: Place): string {
  return group.toLowerCase();
}

/** Returns the resource types that a deployment uses, by provider namespace. */
export function providersOf({ resources }: Prepared): readonly JsonObject[] {
  const types = new Map<string, Map<string, JsonObject>>();
  for (const { type, definition } of resources) {
    const [namespace = "", ...rest] = type.split("/");
    const known = types.get(namespace) ?? new Map<string, JsonObject>();
    const resourceType = rest.join("/");
    const { location } = definition;
    known.set(resourceType, {
      resourceType,
      locations: [typeof location === "string" && !location.startsWith("[") ? location : null],
    });
    types.set(namespace, known);
  }
  return [...types].map(([namespace, known]) => ({ namespace, resourceTypes: [...known.values()] }));
}

/** Returns the dependencies in the format of responses. */
export function shownDependencies({ dependencies }: Prepared): readonly JsonObject[] {
  const basic = ({ id, type, name }: PlannedResource) => ({ id, resourceType: type, resourceName: name });
  return [...dependencies]
    .filter(([resource, needs]) => needs.size > 0 && !resource.skipped)
    .map(([resource, needs]) => ({ dependsOn: [...needs].map(basic), ...basic(resource) }));
}

/** Returns the lower-case namespace of a resource. */
export function namespaceOf({ id }: PlannedResource): string {
  return parseResourceId(id)?.namespace.toLowerCase() ?? "";
}
