import { isPlainObject } from "./json.ts";

type Path = readonly (string | number)[];

/**
 * Returns the value at a path of field names and array indexes. Returns undefined if the path does not exist. Inherited properties
 * such as `constructor` do not exist.
 */
export function valueAt(value: unknown, ...path: Path): unknown {
  let current = value;
  for (const step of path) {
    if (typeof step === "number") current = Array.isArray(current) ? current[step] : undefined;
    else current = isPlainObject(current) && Object.hasOwn(current, step) ? current[step] : undefined;
  }
  return current;
}

/** Returns the string at a path. Returns undefined for other types. */
export function stringAt(value: unknown, ...path: Path): string | undefined {
  const found = valueAt(value, ...path);
  return typeof found === "string" ? found : undefined;
}

/** Returns the number at a path. Returns undefined for other types. */
export function numberAt(value: unknown, ...path: Path): number | undefined {
  const found = valueAt(value, ...path);
  return typeof found === "number" ? found : undefined;
}

/** Returns the array at a path. Returns an empty array for other types. */
export function listAt(value: unknown, ...path: Path): readonly unknown[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Returns the strings in the array at a path. Skips elements of other types. */
export function stringsAt(value: unknown, ...path: Path): readonly string[] {
  return listAt(value, ...path).filter((each) => typeof each === "string");
}

/** Returns the object at a path. Returns an empty object for other types. */
export function objectAt(value: unknown, ...path: Path): Record<string, unknown> {
  const found = valueAt(value, ...path);
  return isPlainObject(found) ? found : {};
}
