import { isPlainObject } from "@keelson/base";

/** Returns the value at a path of field names and list indexes. `undefined` if the path does not exist. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let current = value;
  for (const step of path) {
    if (typeof step === "number") current = Array.isArray(current) ? current[step] : undefined;
    else current = isPlainObject(current) ? current[step] : undefined;
  }
  return current;
}

export function textAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === "string" ? found : undefined;
}

export function numberAt(value: unknown, ...path: readonly (string | number)[]): number | undefined {
  const found = at(value, ...path);
  return typeof found === "number" ? found : undefined;
}

/** Returns the list at a path. Empty if the path does not exist. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Returns the object at a path. Empty if the path does not exist. */
export function recordAt(value: unknown, ...path: readonly (string | number)[]): Record<string, unknown> {
  const found = at(value, ...path);
  return isPlainObject(found) ? found : {};
}

/** Returns the string fields of the object at a path, for example labels, annotations or selectors. */
export function textsAt(value: unknown, ...path: readonly (string | number)[]): Record<string, string> {
  const entries = Object.entries(recordAt(value, ...path));
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
