import { objectAt } from "@keelson/base";

/**
 * Returns the string fields of the object at a path. Examples are labels, annotations and selectors. Returns the object itself if
 * all its fields are strings.
 */
export function stringMapAt(
  value: unknown,
  ...path: readonly (string | number)[]
): Readonly<Record<string, string>> {
  const found = objectAt(value, ...path);
  if (isStringMap(found)) return found;
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function isStringMap(value: Readonly<Record<string, unknown>>): value is Readonly<Record<string, string>> {
  for (const name in value) if (typeof value[name] !== "string") return false;
  return true;
}
