import { isPlainObject } from "@keelson/base";

/** The value at a path of own members, `undefined` where the path ends early. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (isPlainObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
    value,
  );
}

/** As `at`; anything but text is `""`. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = at(value, ...path);
  return typeof found === "string" ? found : "";
}

/** As `at`; anything but a number is 0. */
export function numberAt(value: unknown, ...path: readonly string[]): number {
  const found = at(value, ...path);
  return typeof found === "number" ? found : 0;
}

/** As `at`; anything but a list is empty. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The text members of an object, sorted by name, as label sets are printed. */
export function textMapAt(
  value: unknown,
  ...path: readonly string[]
): readonly (readonly [string, string])[] {
  const found = at(value, ...path);
  return Object.entries(isPlainObject(found) ? found : {})
    .map(([name, text]): [string, string] => [name, String(text)])
    .sort(([left], [right]) => (left < right ? -1 : 1));
}

export function countAt(value: unknown, ...path: readonly string[]): number {
  const found = at(value, ...path);
  return Array.isArray(found) ? found.length : isPlainObject(found) ? Object.keys(found).length : 0;
}

/** The condition of that type in `status.conditions`. */
export function conditionOf(object: unknown, type: string): unknown {
  return listAt(object, "status", "conditions").find((condition) => textAt(condition, "type") === type);
}

export function conditionIsTrue(object: unknown, type: string): boolean {
  return textAt(conditionOf(object, type), "status") === "True";
}
