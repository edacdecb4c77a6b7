import { type JsonObject, type JsonValue, mergePatch, type WorkLimits } from "@keelson/base";
import { ArmError, badRequest } from "../arm/arm-error.ts";
import { groupIdOf, keyOf, parseProviderPath } from "../arm/arm-path.ts";
import type { ArmRequest } from "../arm/exchange.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import { renderGroup } from "../arm/resource-group.ts";
import type { Subscription } from "../arm/subscription.ts";
import { assignedAbove } from "../authorization/assigned-above.ts";
import { scopeOfAssignment } from "../authorization/role-assignments.ts";
import { at, isJsonObject, members, nonEmptyStringAt, objectsAt } from "../base/json.ts";
import { ExpressionError } from "../deployments/errors/template-error.ts";
import { evaluateText } from "../deployments/evaluation/evaluate-json.ts";
import type { Context } from "../deployments/language/context.ts";
import { TemplateBudget } from "../deployments/language/template-budget.ts";
import { entriesByName } from "../deployments/template/template.ts";
import { baseContext, type Surroundings } from "../deployments/template/template-context.ts";
import { policyAssignmentType } from "./policy-assignments.ts";
import { judge, type Verdict } from "./policy-rule.ts";
import type { PolicyTarget } from "./policy-target.ts";

/** Policy definition with the parameters of its assignment. */
interface Applied {
  readonly assignment: ResourceRecord;
  readonly definition: ResourceRecord;
  /** Policy set that contains the definition. Undefined if the definition is assigned directly. */
  readonly set: ResourceRecord | undefined;
  readonly parameters: JsonObject;
}

/** Evaluation limits for all policies that apply to a write. */
const limits: WorkLimits = { nodes: 200_000, bytes: 8 * 1024 * 1024, timeMs: 10_000 };

/** Rejects a write that violates a policy with the effect `deny`. @throws ArmError 403 */
export function checkPolicies(subscription: Subscription, request: ArmRequest): void {
  if (request.method !== "PUT" && request.method !== "PATCH") return;
  const assignments = assignedAbove(subscription, policyAssignmentType, `/${request.segments.join("/")}`);
  if (assignments.length === 0 || !isJsonObject(request.body)) return;
  const target = targetOf(subscription, request, request.body);
  if (!target) return;
  const budget = new TemplateBudget(limits, (reason) => new ExpressionError(reason));
  const violations = assignments
    .filter((each) => appliesTo(each, target.id))
    .flatMap((each) => judged(each, () => appliedBy(subscription, each, budget)))
    .flatMap((each) => {
      const verdict = judged(each.definition, () => denies(subscription, each, target, budget));
      return verdict ? [{ ...each, verdict }] : [];
    });
  if (violations.length > 0) throw disallowed(target, violations);
}

/**
 * Evaluates a policy and converts evaluation errors to ARM errors.
 * @throws ArmError 400 for an invalid expression or a parameter without a value
 */
function judged<T>(what: ResourceRecord, judgement: () => T): T {
  try {
    return judgement();
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw badRequest("InvalidPolicyRule", `The policy '${what.id}' cannot be evaluated: ${error.message}.`);
  }
}

function targetOf(
  subscription: Subscription,
  { method, segments }: ArmRequest,
  written: JsonObject,
): PolicyTarget | undefined {
  const id = `/${segments.join("/")}`;
  const path = parseProviderPath(segments);
  const name = segments.at(-1) ?? "";
  if (!path) {
    const isGroup = segments.length === 4 && segments[2]?.toLowerCase() === "resourcegroups";
    const group = isGroup ? subscription.groups.get(keyOf(name)) : undefined;
    const body = members(method === "PATCH" && group ? mergePatch(renderGroup(group), written) : written);
    const type = "Microsoft.Resources/subscriptions/resourceGroups";
    return isGroup ? { id, name, type, body, isIndexed: false } : undefined;
  }
  if (path.types.length !== path.names.length) return undefined;
  const type = `${path.namespace}/${path.types.join("/")}`;
  if (/^Microsoft\.(Authorization\/(policy\w+|locks)|Resources\/deployments)$/i.test(type)) return undefined;
  const existing = subscription.resources.find(id);
  const body = members(method === "PATCH" && existing ? mergePatch(existing.body, written) : written);
  return { id, name, type, body, isIndexed: nonEmptyStringAt(body, "location") !== undefined };
}

function appliesTo({ body }: ResourceRecord, target: string): boolean {
  const isWithin = (scope: string) => `${keyOf(target)}/`.startsWith(`${keyOf(scope).replace(/\/+$/, "")}/`);
  const spared = at(body, "properties", "notScopes");
  return (
    nonEmptyStringAt(body, "properties", "enforcementMode") !== "DoNotEnforce" &&
    !(Array.isArray(spared) && spared.some((each) => typeof each === "string" && isWithin(each)))
  );
}

function appliedBy(
  subscription: Subscription,
  assignment: ResourceRecord,
  budget: TemplateBudget,
): readonly Applied[] {
  const found = subscription.resources.find(
    nonEmptyStringAt(assignment.body, "properties", "policyDefinitionId") ?? "",
  );
  if (!found) return [];
  const given = valuesIn(members(at(assignment.body, "properties", "parameters")));
  const parts = objectsAt(found.body, "properties", "policyDefinitions");
  const isSet = /\/policySetDefinitions$/i.test(found.type);
  if (!isSet)
    return [{ assignment, definition: found, set: undefined, parameters: withDefaults(found, given) }];
  const context = contextOf(subscription, undefined, withDefaults(found, given), budget);
  return parts.flatMap((part) => {
    const definition = subscription.resources.find(nonEmptyStringAt(part, "policyDefinitionId") ?? "");
    if (!definition) return [];
    const own = Object.entries(valuesIn(members(part.parameters))).map(([name, value]) => [
      name,
      typeof value === "string" ? evaluateText(value, context) : (value ?? null),
    ]);
    const parameters = withDefaults(definition, Object.fromEntries(own));
    return [{ assignment, definition, set: found, parameters }];
  });
}

function valuesIn(parameters: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, each]) => [name, members(each).value ?? null]),
  );
}

function withDefaults({ body }: ResourceRecord, given: JsonObject): JsonObject {
  const declared = Object.entries(members(at(body, "properties", "parameters"))).flatMap(([name, each]) => {
    const value = members(each).defaultValue;
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(declared), ...given };
}

/**
 * Returns a violation if the resource violates the definition and the effect of the definition is `deny`. Otherwise returns
 * `undefined`.
 */
function denies(
  subscription: Subscription,
  { definition, parameters }: Applied,
  target: PolicyTarget,
  budget: TemplateBudget,
): Verdict | undefined {
  const { policyRule, mode } = members(definition.body.properties);
  if (String(mode).toLowerCase() === "indexed" && !target.isIndexed) return undefined;
  const context = contextOf(subscription, target.id, parameters, budget);
  const effect = evaluateText(nonEmptyStringAt(policyRule, "then", "effect") ?? "", context);
  if (typeof effect !== "string" || effect.toLowerCase() !== "deny") return undefined;
  const verdict = judge(at(policyRule, "if"), target, context);
  return verdict.holds ? verdict : undefined;
}

function contextOf(
  subscription: Subscription,
  targetId: string | undefined,
  parameters: JsonObject,
  budget: TemplateBudget,
): Context {
  const { subscriptionId, tenantId } = subscription;
  const id = groupIdOf(targetId ?? "");
  const group = id === undefined ? undefined : subscription.groups.get(keyOf(id.split("/").at(-1) ?? ""));
  const surroundings: Surroundings = {
    place: { subscriptionId, group: group?.name },
    now: subscription.clock.now(),
    values: {
      subscription: { id: `/subscriptions/${subscriptionId}`, subscriptionId, tenantId },
      ...(group ? { resourceGroup: members(renderGroup(group)) } : {}),
    },
  };
  const context = baseContext(surroundings, budget);
  const find = entriesByName(parameters);
  return { ...context, parameter: (name) => find(name)?.[1] ?? context.parameter(name) };
}

type Violation = Applied & { readonly verdict: Verdict };

function disallowed(target: PolicyTarget, violations: readonly Violation[]): ArmError {
  const named = ({ id, body, name }: ResourceRecord) => {
    return { name: nonEmptyStringAt(body, "properties", "displayName") ?? name, id };
  };
  const identifiers = violations.map(({ assignment, definition, set }) => ({
    policyAssignment: named(assignment),
    policyDefinition: named(definition),
    ...(set ? { policySetDefinition: named(set) } : {}),
  }));
  return new ArmError(
    403,
    "RequestDisallowedByPolicy",
    `Resource '${target.name}' was disallowed by policy. Policy identifiers: '${JSON.stringify(identifiers)}'.`,
    {
      target: target.name,
      additionalInfo: violations.map((each) => ({ type: "PolicyViolation", info: infoOf(each) })),
    },
  );
}

function infoOf({ assignment, definition, set, parameters, verdict }: Violation): JsonObject {
  const text = (record: ResourceRecord) =>
    nonEmptyStringAt(record.body, "properties", "displayName") ?? record.name;
  const shown = Object.entries(parameters).map(([name, value]): [string, JsonValue] => [
    name,
    { value: value ?? null },
  ]);
  return {
    evaluationDetails: { evaluatedExpressions: verdict.expressions },
    policyDefinitionId: definition.id,
    policyDefinitionName: definition.name,
    policyDefinitionDisplayName: text(definition),
    policyDefinitionEffect: "deny",
    ...(set
      ? {
          policySetDefinitionId: set.id,
          policySetDefinitionName: set.name,
          policySetDefinitionDisplayName: text(set),
        }
      : {}),
    policyAssignmentId: assignment.id,
    policyAssignmentName: assignment.name,
    policyAssignmentDisplayName: text(assignment),
    policyAssignmentScope: scopeOfAssignment(assignment.id),
    policyAssignmentParameters: Object.fromEntries(shown),
  };
}
