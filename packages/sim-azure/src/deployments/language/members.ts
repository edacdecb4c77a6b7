import type { JsonValue } from "@keelson/base";
import { isJsonObject } from "../../json.ts";

/** The member of an object, in any case of its name, or the element of an array. */
export function memberOf(holder: JsonValue, name: JsonValue): JsonValue | undefined {
  if (Array.isArray(holder)) return typeof name === "number" ? holder[name] : undefined;
  if (!isJsonObject(holder) || typeof name !== "string") return undefined;
  if (Object.hasOwn(holder, name)) return holder[name];
  const lower = name.toLowerCase();
  return Object.entries(holder).find(([each]) => each.toLowerCase() === lower)?.[1];
}
