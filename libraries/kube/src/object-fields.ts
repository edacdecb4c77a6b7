import { isPlainObject } from "@keelson/base";

/** The value at a path of members of a Kubernetes object; `undefined` where the path ends early. */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const member of path) current = isPlainObject(current) ? current[member] : undefined;
  return current;
}

export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, ...path);
  return typeof found === "string" ? found : undefined;
}

export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = valueAt(value, ...path);
  return typeof found === "number" ? found : undefined;
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The status (`True`, `False`, `Unknown`) of a condition; `undefined` when the object does not have it. */
export function conditionOf(object: unknown, type: string): string | undefined {
  const condition = listAt(object, "status", "conditions").find((each) => textAt(each, "type") === type);
  return textAt(condition, "status");
}
