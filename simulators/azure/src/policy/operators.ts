import type { JsonValue } from "@keelson/base";
import { matchesPattern } from "../authorization/pattern.ts";
import { isJsonObject } from "../base/json.ts";
import { spendSearch } from "../deployments/functions/text.ts";
import type { TemplateBudget } from "../deployments/language/template-budget.ts";

type Operator = (value: JsonValue | undefined, wanted: JsonValue, budget: TemplateBudget) => boolean;

/** Prepares a value for comparison. Strings are case-insensitive. */
function comparable(value: JsonValue | undefined, budget: TemplateBudget): string {
  budget.measure(value);
  return String(value ?? "").toLowerCase();
}

const equals: Operator = (value, wanted, budget) => comparable(value, budget) === comparable(wanted, budget);

const like: Operator = (value, wanted, budget) => {
  const [pattern, text] = [comparable(wanted, budget), comparable(value, budget)];
  spendSearch(text, pattern, budget);
  return matchesPattern(pattern, text);
};

const isIn: Operator = (value, wanted, budget) =>
  Array.isArray(wanted) && wanted.some((each: JsonValue) => equals(value, each, budget));

const contains: Operator = (value, wanted, budget) => {
  if (Array.isArray(value)) return value.some((each: JsonValue) => equals(each, wanted, budget));
  const [text, part] = [comparable(value, budget), comparable(wanted, budget)];
  spendSearch(text, part, budget);
  return text.includes(part);
};

const containsKey: Operator = (value, wanted, budget) =>
  isJsonObject(value) && Object.keys(value).some((each) => equals(each, wanted, budget));

/**
 * Returns an operator that matches strings against a pattern: `#` matches a digit, `?` a letter, `.` any character. `isSame`
 * compares all other characters, so it determines the case sensitivity.
 */
const match =
  (isSame: (a: string, b: string) => boolean): Operator =>
  (value, wanted, budget) => {
    budget.measure(value);
    budget.measure(wanted);
    const [text, pattern] = [String(value ?? ""), String(wanted)];
    if (text.length !== pattern.length) return false;
    for (let at = 0; at < text.length; at++) {
      const [each, sign] = [text.charAt(at), pattern.charAt(at)];
      const fits = sign === "." || (signs.get(sign)?.test(each) ?? isSame(each, sign));
      if (!fits) return false;
    }
    return true;
  };

const signs = new Map([
  ["#", /\d/],
  ["?", /[A-Za-z]/],
]);

const compare =
  (holds: (difference: number) => boolean): Operator =>
  (value, wanted) => {
    if (typeof value === "number" && typeof wanted === "number") return holds(value - wanted);
    return (
      typeof value === "string" &&
      typeof wanted === "string" &&
      holds(value < wanted ? -1 : value > wanted ? 1 : 0)
    );
  };

/** Condition operators of policies, by lower-case name. The prefix `not` negates an operator. */
const operators = new Map<string, Operator>(
  Object.entries({
    equals,
    like,
    in: isIn,
    contains,
    containskey: containsKey,
    match: match((a, b) => a === b),
    matchinsensitively: match((a, b) => a.toLowerCase() === b.toLowerCase()),
    less: compare((difference) => difference < 0),
    lessorequals: compare((difference) => difference <= 0),
    greater: compare((difference) => difference > 0),
    greaterorequals: compare((difference) => difference >= 0),
    exists: (value, wanted) =>
      (value !== undefined && value !== null) === (String(wanted).toLowerCase() === "true"),
  }),
);

/** Returns an operator by name. Returns `undefined` if the name is not the name of an operator. */
export function findOperator(name: string): Operator | undefined {
  const lower = name.toLowerCase();
  const plain = operators.get(lower);
  if (plain) return plain;
  const turned = lower.startsWith("not") ? operators.get(lower.slice(3)) : undefined;
  return turned && ((value, wanted, budget) => !turned(value, wanted, budget));
}
