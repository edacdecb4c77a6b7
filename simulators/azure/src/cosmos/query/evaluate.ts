import { isPlainObject, type WorkBudget } from "@keelson/base";
import { badRequest } from "../errors/cosmos-error.ts";
import type { BinaryOperator, Expression } from "./syntax.ts";

/** Values that an expression can access. */
export interface Scope {
  readonly alias: string;
  readonly item: unknown;
  readonly parameters: ReadonlyMap<string, unknown>;
  /** Remaining evaluation budget of the query. */
  readonly budget: WorkBudget;
}

/**
 * Evaluates an expression. The result is `undefined` if a path does not exist or if the compared values have incompatible types.
 */
export function evaluate(expression: Expression, scope: Scope): unknown {
  scope.budget.spend(1);
  switch (expression.kind) {
    case "literal":
      return expression.value;
    case "parameter":
      if (!scope.parameters.has(expression.name))
        throw badRequest(`The query has no parameter ${expression.name}.`);
      return scope.parameters.get(expression.name);
    case "path":
      if (expression.root !== scope.alias) {
        throw badRequest(`Identifier '${expression.root}' could not be resolved.`);
      }
      return stepsInto(scope.item, expression.steps);
    case "object":
      return Object.fromEntries(
        expression.members
          .map((member): [string, unknown] => [member.name, evaluate(member.expression, scope)])
          .filter(([, value]) => value !== undefined),
      );
    case "array":
      return expression.elements.map((each) => evaluate(each, scope)).filter((each) => each !== undefined);
    case "not": {
      const operand = evaluate(expression.operand, scope);
      return typeof operand === "boolean" ? !operand : undefined;
    }
    case "in": {
      const operand = evaluate(expression.operand, scope);
      return expression.among.some((each) => evaluate(each, scope) === operand && operand !== undefined);
    }
    case "call":
      return call(expression.name, expression.args, scope);
    case "binary":
      return binary(expression.operator, expression.left, expression.right, scope);
  }
}

export function stepsInto(item: unknown, steps: readonly string[]): unknown {
  let at = item;
  for (const step of steps) {
    if (!isPlainObject(at) || !Object.hasOwn(at, step)) return undefined;
    at = at[step];
  }
  return at;
}

/** Compares two values for ORDER BY: by type, then by value. Strings are compared by code points. */
export function compareValues(left: unknown, right: unknown): number {
  const [leftRank, rightRank] = [rankOf(left), rankOf(right)];
  if (leftRank !== rightRank) return leftRank - rightRank;
  if (typeof left === "string" && typeof right === "string") {
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  }
  if (typeof left === "number" && typeof right === "number") return left - right;
  return Number(left === true) - Number(right === true);
}

function rankOf(value: unknown): number {
  if (value === undefined) return 0;
  if (value === null) return 1;
  return ["boolean", "number", "string"].indexOf(typeof value) + 2;
}

function binary(operator: BinaryOperator, left: Expression, right: Expression, scope: Scope): unknown {
  const first = evaluate(left, scope);
  if (operator === "??") return first === undefined ? evaluate(right, scope) : first;
  const second = evaluate(right, scope);
  switch (operator) {
    case "AND":
      if (first === false || second === false) return false;
      return first === true && second === true ? true : undefined;
    case "OR":
      if (first === true || second === true) return true;
      return first === false && second === false ? false : undefined;
    case "+":
    case "-":
    case "*":
      return arithmetic(operator, first, second);
    default:
      return comparison(operator, first, second);
  }
}

function arithmetic(operator: "+" | "-" | "*", left: unknown, right: unknown): number | undefined {
  if (typeof left !== "number" || typeof right !== "number") return undefined;
  if (operator === "*") return left * right;
  return operator === "+" ? left + right : left - right;
}

function comparison(
  operator: "=" | "!=" | "<" | "<=" | ">" | ">=",
  left: unknown,
  right: unknown,
): boolean | undefined {
  if (left === undefined || right === undefined) return undefined;
  const comparable = rankOf(left) === rankOf(right) && rankOf(left) > 0;
  if (operator === "=") return comparable && compareValues(left, right) === 0;
  if (operator === "!=") return !comparable || compareValues(left, right) !== 0;
  if (!comparable) return undefined;
  const order = compareValues(left, right);
  if (operator === "<") return order < 0;
  if (operator === "<=") return order <= 0;
  return operator === ">" ? order > 0 : order >= 0;
}

function call(name: string, args: readonly Expression[], scope: Scope): unknown {
  const values = args.map((each) => evaluate(each, scope));
  for (const each of values) if (Array.isArray(each)) scope.budget.spend(each.length);
  const [first, second] = values;
  switch (name) {
    case "IS_DEFINED":
      return first !== undefined;
    case "IS_NULL":
      return first === undefined ? undefined : first === null;
    case "STARTSWITH":
      return typeof first === "string" && typeof second === "string" ? first.startsWith(second) : undefined;
    case "ARRAY_CONTAINS":
      return Array.isArray(first) ? first.includes(second) : undefined;
    default:
      throw badRequest(`'${name}' is not a supported function.`);
  }
}
