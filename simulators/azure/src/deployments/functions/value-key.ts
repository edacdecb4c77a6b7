import type { JsonValue } from "@keelson/base";
import { isJsonObject } from "../../base/json.ts";
import type { TemplateBudget } from "../language/template-budget.ts";

/**
 * Returns a string that represents a value. Two values have the same string only if they are equal. Property order is ignored.
 * @throws InvalidTemplate
 */
export function valueKey(value: JsonValue, budget: TemplateBudget): string {
  budget.measure(value);
  return typeof value === "object" && value !== null ? keyOf(value) : JSON.stringify(value);
}

function keyOf(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return `[${value.map(keyOf).join()}]`;
  if (!isJsonObject(value)) return JSON.stringify(value ?? null);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${keyOf(each)}`).join()}}`;
}
