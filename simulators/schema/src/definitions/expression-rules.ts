import { fieldError, type StatusCause } from "@keelson/apimachinery";
import { ruleTypeOf } from "../custom/rule-types.ts";
import { type CompiledRule, programOf, rulesOf } from "../custom/rules.ts";
import { maxCardinality } from "../custom/serialized-size.ts";
import type { StructuralSchema, ValidationRule } from "../custom/structural-schema.ts";

/**
 * Kubernetes' limits for estimated costs. The first limit applies to all evaluations of one rule. The second limit applies to all
 * rules of a schema together.
 */
const maxRuleCost = 10_000_000;
const maxSchemaCost = 100_000_000;
/** Number of rules to name in the error if the total cost exceeds the limit. */
const mostCostly = 4;

/** Returns the validation errors of a schema's rules: compilation errors and excessive costs. */
export function validateExpressions(schema: StructuralSchema, path: string): readonly StatusCause[] {
  if (!schema.has.rules) return [];
  const found: Findings = { causes: [], total: 0, costly: [] };
  visit(schema, { path, isResource: true, uncorrelated: undefined, times: 1 }, found);
  if (found.total > maxSchemaCost) {
    for (const { field } of found.costly.sort((a, b) => b.cost - a.cost).slice(0, mostCostly)) {
      const why = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
      found.causes.push(fieldError.forbidden(field, why));
    }
    const what = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
    found.causes.push(fieldError.forbidden(path, tooCostly(what, found.total, maxSchemaCost)));
  }
  return found.causes;
}

interface Findings {
  readonly causes: StatusCause[];
  total: number;
  /** Expressions that need at least 1 % of the total limit. */
  readonly costly: { readonly field: string; readonly cost: number }[];
}

interface Place {
  readonly path: string;
  readonly isResource: boolean;
  /** Path of the outermost schema with values that cannot be correlated with old values. */
  readonly uncorrelated: string | undefined;
  /** Maximum number of values with this schema in one object. Undefined if there is no limit. */
  readonly times: number | undefined;
}

function visit(schema: StructuralSchema, place: Place, found: Findings): void {
  if (!schema.has.rules) return;
  const { path, uncorrelated, times } = place;
  // Without a limit, the minimum size of a value and the maximum request size determine the maximum number of values.
  const most = times ?? maxCardinality(ruleTypeOf(schema, place.isResource)?.minBytes ?? 0);
  for (const [at, rule] of rulesOf(schema, place.isResource).entries()) {
    checkRule(rule, `${path}.x-kubernetes-validations[${at}]`, { ...place, times: most }, found);
  }
  for (const [name, property] of schema.properties) {
    const isResource = property.embeddedResource;
    visit(property, { path: `${path}.properties[${name}]`, isResource, uncorrelated, times }, found);
  }
  const { items, additionalProperties } = schema;
  if (items) {
    visit(
      items,
      {
        path: `${path}.items`,
        isResource: items.embeddedResource,
        uncorrelated: uncorrelated ?? (schema.listType === "map" ? undefined : path),
        times: product(times, schema.maxItems),
      },
      found,
    );
  }
  if (additionalProperties && additionalProperties !== "any") {
    visit(
      additionalProperties,
      {
        path: `${path}.additionalProperties`,
        isResource: additionalProperties.embeddedResource,
        uncorrelated,
        times: product(times, schema.maxProperties),
      },
      found,
    );
  }
}

function product(times: number | undefined, elements: number | undefined): number | undefined {
  return times === undefined || elements === undefined ? undefined : times * Math.max(0, elements);
}

function checkRule(
  compiled: CompiledRule,
  field: string,
  place: Place & { readonly times: number },
  found: Findings,
): void {
  const { causes } = found;
  const { rule, compilation, messageCompilation, usesOldSelf } = compiled;
  for (const [part, program, what, times] of [
    ["rule", compilation, "estimated rule cost", place.times],
    ["messageExpression", messageCompilation, "estimated messageExpression cost", 1],
  ] as const) {
    const cost = (programOf(program)?.estimatedCost ?? 0) * times;
    if (cost > maxRuleCost) {
      causes.push(fieldError.forbidden(`${field}.${part}`, tooCostly(what, cost, maxRuleCost)));
    }
    found.total += cost;
    if (cost >= maxSchemaCost / 100) found.costly.push({ field: `${field}.${part}`, cost });
    if (program?.kind === "invalid") causes.push(invalidRule(`${field}.${part}`, rule, program.message));
  }
  if (usesOldSelf && place.uncorrelated !== undefined) {
    const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${place.uncorrelated}`;
    causes.push(fieldError.invalid(`${field}.rule`, rule.rule, why));
  }
  if (!usesOldSelf && rule.optionalOldSelf) {
    const why = "may not be set if oldSelf is not used in rule";
    causes.push(fieldError.invalid(`${field}.optionalOldSelf`, true, why));
  }
}

/** Returns the error of an invalid rule. The error contains the rule in Go syntax, as in Kubernetes. */
function invalidRule(field: string, rule: ValidationRule, why: string): StatusCause {
  const reason = rule.reason
    ? `(*apiextensions.FieldValueErrorReason)(${JSON.stringify(rule.reason)})`
    : "(*apiextensions.FieldValueErrorReason)(nil)";
  const shown =
    `apiextensions.ValidationRule{Rule:${JSON.stringify(rule.rule)}, Message:${JSON.stringify(rule.message)}, ` +
    `MessageExpression:${JSON.stringify(rule.messageExpression)}, Reason:${reason}, ` +
    `FieldPath:${JSON.stringify(rule.fieldPath)}, OptionalOldSelf:(*bool)(${rule.optionalOldSelf || "nil"})}`;
  return { reason: "FieldValueInvalid", message: `Invalid value: ${shown}: ${why}`, field };
}

function tooCostly(what: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const shown =
    factor > 100 ? "more than 100x" : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
  return (
    `${what} exceeds budget by factor of ${shown} (try simplifying the rule, or adding maxItems, maxProperties, and ` +
    "maxLength where arrays, maps, and strings are declared)"
  );
}
