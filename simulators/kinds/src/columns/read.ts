import { arrayAt, scalarStringAt, valueAt } from "@keelson/apimachinery";
import { isPlainObject } from "@keelson/base";

/** Number at a path. Default: 0. */
export function numberAt(value: unknown, ...path: readonly string[]): number {
  const found = valueAt(value, ...path);
  return typeof found === "number" ? found : 0;
}

/** Returns the entries of a string map, sorted by name like printed labels. */
export function textMapAt(
  value: unknown,
  ...path: readonly string[]
): readonly (readonly [string, string])[] {
  const found = valueAt(value, ...path);
  return Object.entries(isPlainObject(found) ? found : {})
    .map(([name, text]): [string, string] => [name, String(text)])
    .sort(([left], [right]) => (left < right ? -1 : 1));
}

export function countAt(value: unknown, ...path: readonly string[]): number {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found.length : isPlainObject(found) ? Object.keys(found).length : 0;
}

/** Returns the condition of a type in `status.conditions`. */
export function conditionOf(object: unknown, type: string): unknown {
  return arrayAt(object, "status", "conditions").find(
    (condition) => scalarStringAt(condition, "type") === type,
  );
}

export function conditionIsTrue(object: unknown, type: string): boolean {
  return scalarStringAt(conditionOf(object, type), "status") === "True";
}
