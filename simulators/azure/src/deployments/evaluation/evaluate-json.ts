import type { JsonObject, JsonValue } from "@keelson/base";
import { isJsonObject, nonEmptyStringAt } from "../../base/json.ts";
import { ExpressionError } from "../errors/template-error.ts";
import { type Context, withLoop } from "../language/context.ts";
import { evaluate } from "./evaluate.ts";

/** Maximum number of iterations of one loop, as in Azure. */
const maxCount = 800;

/** Function that evaluates a template string. Default: `evaluateText`. */
export type TextEvaluator = (text: string, context: Context) => JsonValue;

/** Evaluates a template string. @throws ExpressionError */
export function evaluateText(text: string, context: Context): JsonValue {
  const parsed = context.budget.parse(text);
  return "literal" in parsed ? parsed.literal : evaluate(parsed.expression, context);
}

/** Returns `value` with all expressions evaluated and all `copy` loops expanded. @throws ExpressionError */
export function evaluateJson(
  value: JsonValue,
  context: Context,
  ofText: TextEvaluator = evaluateText,
): JsonValue {
  context.budget.enter();
  try {
    return evaluated(value, context, ofText);
  } finally {
    context.budget.leave();
  }
}

function evaluated(value: JsonValue, context: Context, ofText: TextEvaluator): JsonValue {
  if (typeof value === "string") return ofText(value, context);
  if (Array.isArray(value)) return value.map((each: JsonValue) => evaluateJson(each, context, ofText));
  if (!isJsonObject(value)) return value;
  const loops = loopsOf(value);
  const members: (readonly [string, JsonValue])[] = Object.entries(value).flatMap(([name, each]) =>
    each === undefined || (loops && name.toLowerCase() === "copy")
      ? []
      : [[keyOf(name, context), evaluateJson(each, context, ofText)] as const],
  );
  for (const loop of loops ?? []) members.push(unroll(loop, context, ofText));
  context.budget.spend(members.length);
  return Object.fromEntries(members);
}

/**
 * Returns the loops in an object's `copy` property. If `copy` is not an array of loops, it is an ordinary property and the result
 * is `undefined`.
 */
export function loopsOf(value: JsonObject): readonly JsonObject[] | undefined {
  const [, copy] = Object.entries(value).find(([name]) => name.toLowerCase() === "copy") ?? [];
  if (!Array.isArray(copy) || copy.length === 0) return undefined;
  const loops = copy.filter(
    (each: JsonValue): each is JsonObject => isJsonObject(each) && each.count !== undefined,
  );
  return loops.length === copy.length ? loops : undefined;
}

/** Expands a loop over a property, a variable or an output. Returns the loop's name and the values of all iterations. */
export function unroll(
  loop: JsonObject,
  context: Context,
  ofText: TextEvaluator = evaluateText,
): readonly [string, JsonValue] {
  const name = nonEmptyStringAt(loop, "name") ?? "";
  const count = loopCount(loop.count, name, context);
  context.budget.spend(count);
  const values = Array.from({ length: count }, (_, index) =>
    evaluateJson(loop.input ?? null, withLoop(context, name, index), ofText),
  );
  return [name, values];
}

/** Returns the number of iterations of a loop. @throws ExpressionError */
export function loopCount(count: JsonValue | undefined, name: string, context: Context): number {
  const value = typeof count === "string" ? evaluateText(count, context) : count;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= maxCount) return value;
  throw new ExpressionError(
    `The copy '${name}' has the count '${JSON.stringify(value)}', which is not an integer from 0 to ${maxCount}. Please see https://aka.ms/arm-resource-loops for usage details`,
  );
}

/** Evaluates a property name, which can be an expression. */
function keyOf(name: string, context: Context): string {
  const key = evaluateText(name, context);
  if (typeof key === "string") return key;
  throw new ExpressionError(`The property name '${name}' does not evaluate to a string`);
}
