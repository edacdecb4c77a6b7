import type { JsonObject, JsonValue } from "@keelson/base";
import { isJsonObject } from "../../base/json.ts";
import type { TemplateBudget } from "./template-budget.ts";

/** Property of an object, with a case-insensitive name, or element of an array. */
export function memberOf(holder: JsonValue, name: JsonValue, budget: TemplateBudget): JsonValue | undefined {
  if (Array.isArray(holder)) return typeof name === "number" ? holder[name] : undefined;
  if (!isJsonObject(holder) || typeof name !== "string") return undefined;
  if (Object.hasOwn(holder, name)) return holder[name];
  const lower = name.toLowerCase();
  for (const [each, value] of Object.entries(holder)) {
    budget.spend(1, each.length);
    if (each.toLowerCase() === lower) return value;
  }
  return undefined;
}

/** Properties of an object, which are charged to the budget. */
export function entriesOf(object: JsonObject, budget: TemplateBudget): (readonly [string, JsonValue])[] {
  const entries = Object.entries(object).map(([name, value]) => [name, value ?? null] as const);
  budget.spend(entries.length);
  return entries;
}
