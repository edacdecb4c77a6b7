import { isPlainObject } from "@keelson/base";

/**
 * Merges two objects recursively. Values of `over` take precedence. If two objects have different `kind` values, the object of
 * `over` replaces the first object completely.
 */
export function deepMerge(
  under: Readonly<Record<string, unknown>>,
  over: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...under };
  for (const [name, value] of Object.entries(over)) {
    const below = merged[name];
    const fits = isPlainObject(below) && isPlainObject(value) && (value.kind ?? below.kind) === below.kind;
    merged[name] = fits ? deepMerge(below, value) : value;
  }
  return merged;
}
