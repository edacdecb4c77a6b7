import { fieldError, requestBudget, type StatusCause } from "@keelson/apimachinery";
import { isPlainObject, type WorkBudget } from "@keelson/base";
import { CostBudget, isError, none as noOldSelf, optionalOf, type Result, toJson } from "@keelson/cel";
import { byKeys, type Correlated, keysOf } from "./correlation.ts";
import { ruleTypeOf } from "./rule-types.ts";
import { type CompiledRule, programOf, rulesOf } from "./rules.ts";
import type { StructuralSchema } from "./structural-schema.ts";

const maxMessageLength = 5_120;

/**
 * Evaluates the `x-kubernetes-validations` of a schema. Transition rules (`oldSelf`) are evaluated only if there is an old value.
 * For other rules, violations by unchanged values are tolerated and passed to `warn`.
 */
export function validateRules(
  schema: StructuralSchema,
  object: unknown,
  { correlated, isResource = true, warn = ignore, budget = requestBudget() }: RuleOptions,
): readonly StatusCause[] {
  if (!schema.has.rules) return [];
  const costs = new CostBudget(undefined, undefined, budget);
  const walk: Walk = { causes: [], budget: costs, work: budget, warn, spent: false };
  visit(walk, {
    schema,
    value: object,
    old: correlated?.old,
    path: "",
    correlated,
    ancestor: undefined,
    isResource,
  });
  return walk.causes;
}

export interface RuleOptions {
  /** Correlation with the previous object. Undefined for a new object. */
  readonly correlated?: Correlated | undefined;
  /** True if the object has `apiVersion`, `kind` and `metadata`. Default: true. */
  readonly isResource?: boolean;
  readonly warn?: ((text: string) => void) | undefined;
  readonly budget?: WorkBudget | undefined;
}

const ignore = () => undefined;

interface Walk {
  readonly causes: StatusCause[];
  readonly budget: CostBudget;
  readonly work: WorkBudget;
  readonly warn: (text: string) => void;
  /** True if the cost budget is exceeded. No further rules are then evaluated. */
  spent: boolean;
}

interface Place {
  readonly schema: StructuralSchema;
  readonly value: unknown;
  /** Value of `oldSelf`. */
  readonly old: unknown;
  readonly path: string;
  /**
   * Correlation of this value with its previous value. `ancestor` is the correlation of the nearest ancestor that has a
   * correlation.
   */
  readonly correlated: Correlated | undefined;
  readonly ancestor: Correlated | undefined;
  readonly isResource: boolean;
}

function visit(walk: Walk, place: Place): void {
  const { schema, value, correlated } = place;
  if (walk.spent || value === null || value === undefined || !schema.has.rules) return;
  walk.work.spend(1);
  if (schema.validations.length > 0) askRules(walk, place);
  const ancestor = correlated ?? place.ancestor;
  if (Array.isArray(value)) visitElements(walk, place, value, ancestor);
  else if (isPlainObject(value)) visitMembers(walk, place, value, ancestor);
}

function visitElements(
  walk: Walk,
  { schema, old, path, correlated }: Place,
  list: readonly unknown[],
  ancestor: Correlated | undefined,
): void {
  const { items } = schema;
  if (!items?.has.rules) return;
  const before = schema.listType === "map" && Array.isArray(old) ? old : [];
  const known = byKeys(schema, before, walk.work);
  for (const [at, value] of list.entries()) {
    visit(walk, {
      schema: items,
      value,
      old: known.size > 0 ? known.get(keysOf(schema, value) ?? "") : undefined,
      path: `${path}[${at}]`,
      correlated: correlated?.element(schema, value),
      ancestor,
      isResource: items.embeddedResource,
    });
  }
}

function visitMembers(
  walk: Walk,
  { schema, old, path, correlated, ancestor: outer }: Place,
  object: Readonly<Record<string, unknown>>,
  ancestor: Correlated | undefined,
): void {
  const { properties, additionalProperties } = schema;
  const isRoot = outer === undefined && path === "";
  for (const name of Object.keys(object)) {
    const property = properties.get(name);
    const known = property ?? additionalProperties;
    if (!known || known === "any" || !known.has.rules) continue;
    const value = object[name];
    const dotted = path ? `${path}.${name}` : name;
    visit(walk, {
      schema: known,
      value,
      old: isPlainObject(old) && Object.hasOwn(old, name) ? old[name] : undefined,
      path: property ? dotted : `${path}[${name}]`,
      correlated:
        isRoot && (name === "apiVersion" || name === "kind") ? undefined : correlated?.member(name, value),
      ancestor,
      isResource: known.embeddedResource,
    });
  }
}

function askRules(walk: Walk, place: Place): void {
  const { schema, value, isResource } = place;
  const type = ruleTypeOf(schema, isResource);
  if (!type) return;
  const self = type.read(value);
  const old = place.old === undefined || place.old === null ? undefined : type.read(place.old);
  for (const rule of rulesOf(schema, isResource)) {
    if (walk.spent) return;
    if (rule.usesOldSelf && old === undefined && !rule.rule.optionalOldSelf) continue;
    ask(walk, place, rule, self, old);
  }
}

function ask(walk: Walk, place: Place, compiled: CompiledRule, self: Result, old: Result | undefined): void {
  const { rule, compilation } = compiled;
  const add = (message: string) => walk.causes.push(fieldError.invalid(place.path, typeOf(place), message));
  const addUnlessTolerated = (message: string) =>
    report(walk, place, compiled, fieldError.invalid(place.path, typeOf(place), message));
  if (compilation.kind === "invalid") {
    addUnlessTolerated(`rule compile error: ${compilation.message}`);
    return;
  }
  const bindings = { self, oldSelf: rule.optionalOldSelf ? optionalOld(old) : (old ?? null) };
  const outcome = compilation.program.evaluate(bindings, walk.budget);
  const shown = (rule.message || rule.rule).trim();
  if (outcome.kind === "cost-exceeded") {
    walk.spent = true;
    add(
      outcome.of === "budget"
        ? "validation failed due to running out of cost budget, no further validation rules will be run"
        : `'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${shown}`,
    );
  } else if (outcome.kind === "error") {
    addUnlessTolerated(
      outcome.message.startsWith("no such overload")
        ? `'${outcome.message}': call arguments did not match a supported operator, function or macro signature for rule: ${shown}`
        : `${outcome.message} evaluating rule: ${shown}`,
    );
  } else if (outcome.value !== true) {
    refuse(walk, place, compiled, messageOf(walk, compiled, bindings));
  }
}

function optionalOld(old: Result | undefined): Result {
  if (old === undefined) return noOldSelf;
  return isError(old) ? old : optionalOf(old);
}

function refuse(walk: Walk, place: Place, compiled: CompiledRule, message: string): void {
  const { rule, fieldPath } = compiled;
  report(walk, place, compiled, causeOf(rule.reason, joined(place.path, fieldPath), typeOf(place), message));
}

/**
 * Adds an error for a violated rule. If the value is unchanged and the rule does not use `oldSelf`, adds a warning instead. A
 * value without correlation counts as unchanged if its nearest correlated ancestor is unchanged.
 */
function report(walk: Walk, place: Place, { usesOldSelf }: CompiledRule, cause: StatusCause): void {
  const tolerated = !usesOldSelf && (place.correlated ?? place.ancestor)?.unchanged();
  if (tolerated) walk.warn(`${cause.field}: ${cause.message}`);
  else walk.causes.push(cause);
}

function joined(path: string, below: string | undefined): string {
  if (!below) return path;
  return path && !below.startsWith("[") ? `${path}.${below}` : `${path}${below}`;
}

/** Returns the type of the value. Rule errors contain the type instead of the value. */
function typeOf({ schema }: Place): string {
  return schema.type ?? "";
}

function causeOf(reason: string, field: string, type: string, message: string): StatusCause {
  switch (reason) {
    case "FieldValueForbidden":
      return fieldError.forbidden(field, message);
    case "FieldValueRequired":
      return fieldError.required(field, message);
    case "FieldValueDuplicate":
      return fieldError.duplicate(field, type);
    default:
      return fieldError.invalid(field, type, message);
  }
}

/**
 * Returns the message of a violated rule. The message is the result of the message expression, the fixed message, or the rule
 * itself.
 */
function messageOf(
  walk: Walk,
  { rule, messageCompilation }: CompiledRule,
  bindings: Readonly<Record<string, Result>>,
): string {
  const outcome = programOf(messageCompilation)?.evaluate(bindings, walk.budget);
  if (outcome?.kind === "cost-exceeded") walk.spent = true;
  if (outcome?.kind === "value") {
    const text = toJson(outcome.value);
    const trimmed = typeof text === "string" ? text.trim() : "";
    if (trimmed && trimmed.length <= maxMessageLength && !trimmed.includes("\n")) return trimmed;
  }
  return rule.message ? rule.message.trim() : `failed rule: ${rule.rule.trim()}`;
}
