import type { JsonObject, JsonValue } from "@keelson/base";
import { isJsonObject } from "../../base/json.ts";
import type { TemplateBudget } from "./template-budget.ts";

/** Returns a property of an object or an element of an array. Property names are case-insensitive. */
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

/** Returns the properties of an object and charges them to the budget. */
export function entriesOf(object: JsonObject, budget: TemplateBudget): (readonly [string, JsonValue])[] {
  const entries = Object.entries(object).map(([name, value]) => [name, value ?? null] as const);
  budget.spend(entries.length);
  return entries;
}
