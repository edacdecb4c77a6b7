import { isPlainObject } from "@keelson/base";
import { failures } from "../status/status-error.ts";
import { labelValueFault, qualifiedNameFaults } from "./label-forms.ts";

/** Requirement of a label selector. All requirements must be met. */
type LabelRequirement =
  | { readonly key: string; readonly operator: "in" | "notin"; readonly values: ReadonlySet<string> }
  | { readonly key: string; readonly operator: "exists" | "absent" }
  | { readonly key: string; readonly operator: "gt" | "lt"; readonly value: number };

export type LabelSelector = readonly LabelRequirement[];

/**
 * Maximum number of requirements in a label selector, because each requirement is evaluated for each object and each watch event.
 */
export const maxRequirements = 1_000;

type Labels = Readonly<Record<string, unknown>>;

export function matchesLabels(selector: LabelSelector, labels: Labels): boolean {
  return selector.every((requirement) => {
    const found = Object.hasOwn(labels, requirement.key) ? labels[requirement.key] : undefined;
    return holds(requirement, typeof found === "string" ? found : undefined);
  });
}

function holds(requirement: LabelRequirement, value: string | undefined): boolean {
  switch (requirement.operator) {
    case "in":
      return value !== undefined && requirement.values.has(value);
    case "notin":
      return value === undefined || !requirement.values.has(value);
    case "exists":
      return value !== undefined;
    case "absent":
      return value === undefined;
    case "gt":
      return value !== undefined && /^-?\d+$/.test(value) && Number(value) > requirement.value;
    case "lt":
      return value !== undefined && /^-?\d+$/.test(value) && Number(value) < requirement.value;
  }
}

/**
 * Parses a label selector with comma-separated requirements: `a=b`, `a==b`, `a!=b`, `a in (b,c)`, `a notin (b,c)`, `a`, `!a`,
 * `a>1`, `a<1`. Runs in linear time.
 * @throws StatusError 400
 */
export function parseLabelSelector(text: string): LabelSelector {
  const tokens = tokenize(text);
  const requirements: LabelRequirement[] = [];
  let at = 0;
  const fail = (wanted: string, prefix = "unable to parse requirement: ", comma = ","): never => {
    throw failures.badRequest(`${prefix}found '${tokens[at] ?? ""}'${comma} expected: ${wanted}`);
  };
  const exactValue = (key: string): string => {
    const token = tokens[at];
    return token !== undefined && token !== "," && isSymbol(token)
      ? fail("identifier")
      : checkedValue(key, word(), 0);
  };
  const word = (): string => {
    const token = tokens[at];
    if (token === undefined || isSymbol(token)) return "";
    at++;
    return token;
  };
  const values = (key: string): Set<string> => {
    if (tokens[at] !== "(") fail("'('", undefined, "");
    const found = new Set<string>();
    do {
      at++;
      found.add(checkedValue(key, word(), found.size));
    } while (tokens[at] === ",");
    if (tokens[at] !== ")")
      fail(tokens[at] === undefined && tokens[at - 1] === "(" ? "',', ')' or identifier" : "',' or ')'");
    at++;
    return found;
  };
  const requirement = (): LabelRequirement => {
    const negated = tokens[at] === "!";
    if (negated) at++;
    const key = checkedKey(word() || fail("identifier"));
    if (negated) return { key, operator: "absent" };
    const operator = tokens[at];
    if (operator === undefined || operator === ",") return { key, operator: "exists" };
    at++;
    switch (operator) {
      case "=":
      case "==":
        return { key, operator: "in", values: new Set([exactValue(key)]) };
      case "!=":
        return { key, operator: "notin", values: new Set([exactValue(key)]) };
      case "in":
      case "notin":
        return { key, operator, values: values(key) };
      case ">":
      case "<":
        return { key, operator: operator === ">" ? "gt" : "lt", value: integer(word()) };
      default:
        at--;
        return fail("in, notin, =, ==, !=, gt, lt");
    }
  };
  while (at < tokens.length) {
    if (requirements.length === maxRequirements) {
      throw failures.badRequest(`unable to parse requirement: more than ${maxRequirements} requirements`);
    }
    requirements.push(requirement());
    if (at < tokens.length && tokens[at] !== ",") fail("',' or 'end of string'", "");
    at++;
    if (at === tokens.length) fail("identifier after ','");
  }
  return requirements;
}

/** True if the value is a valid meta/v1 LabelSelector. Only values of kinds without validation need this check. */
export function isLabelSelector(value: unknown): boolean {
  if (!isPlainObject(value)) return false;
  const { matchLabels, matchExpressions } = value;
  return (
    (matchLabels == null || (isPlainObject(matchLabels) && areStrings(Object.values(matchLabels)))) &&
    (matchExpressions == null || (Array.isArray(matchExpressions) && matchExpressions.every(isExpression)))
  );
}

function isExpression(value: unknown): boolean {
  if (!isPlainObject(value)) return false;
  const { key, operator, values } = value;
  const given: unknown = values ?? [];
  if (typeof key !== "string" || !Array.isArray(given) || !areStrings(given)) return false;
  if (operator === "In" || operator === "NotIn") return given.length > 0;
  return (operator === "Exists" || operator === "DoesNotExist") && given.length === 0;
}

function areStrings(values: readonly unknown[]): boolean {
  return values.every((each) => typeof each === "string");
}

/** Converts `matchLabels` and `matchExpressions` of a valid meta/v1 LabelSelector to a selector. */
export function labelSelectorOf(value: unknown): LabelSelector {
  const selector: { matchLabels?: Labels; matchExpressions?: readonly Readonly<Record<string, unknown>>[] } =
    typeof value === "object" && value !== null ? value : {};
  const equal = Object.entries(selector.matchLabels ?? {}).map(
    ([key, label]): LabelRequirement => ({ key, operator: "in", values: new Set([String(label)]) }),
  );
  const expressions = (selector.matchExpressions ?? []).map(({ key, operator, values }): LabelRequirement => {
    const set = new Set(Array.isArray(values) ? values.map(String) : []);
    if (operator === "In") return { key: String(key), operator: "in", values: set };
    if (operator === "NotIn") return { key: String(key), operator: "notin", values: set };
    return { key: String(key), operator: operator === "Exists" ? "exists" : "absent" };
  });
  return [...equal, ...expressions];
}

function tokenize(text: string): readonly string[] {
  return text.match(/[=!]=|[=!<>(),]|[^\s=!<>(),]+/g) ?? [];
}

function isSymbol(token: string): boolean {
  return /^[=!<>(),]/.test(token);
}

function checkedKey(key: string): string {
  const faults = qualifiedNameFaults(key);
  if (faults.length > 0) throw invalidPart("<nil>", key, faults.join("; "));
  return key;
}

function checkedValue(key: string, value: string, at: number): string {
  const fault = labelValueFault(value);
  if (fault) throw invalidPart(`values[${at}][${key}]`, value, fault);
  return value;
}

function invalidPart(field: string, value: string, why: string): Error {
  return failures.badRequest(
    `unable to parse requirement: ${field}: Invalid value: ${JSON.stringify(value)}: ${why}`,
  );
}

function integer(text: string): number {
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  throw failures.badRequest(
    `values: Invalid value: ${JSON.stringify(text)}: for 'Gt', 'Lt' operators, the value must be an integer`,
  );
}
