import { objectAt } from "@keelson/base";

/** Returns the string fields of the object at a path. Examples are labels, annotations and selectors. */
export function stringMapAt(value: unknown, ...path: readonly (string | number)[]): Record<string, string> {
  const entries = Object.entries(objectAt(value, ...path));
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
