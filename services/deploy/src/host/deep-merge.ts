import { isPlainObject } from "@keelson/base";

/**
 * Merges two objects recursively. Values of `over` take precedence. If two nested objects have different `kind` values, the
 * object in `over` replaces the object in `under` completely.
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
