import type { Schema } from "./document.ts";

/** Returns the names of all definitions that `value` refers to, directly or indirectly. */
export function reachable(
  value: unknown,
  definitions: Readonly<Record<string, Schema>>,
): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (visited: unknown) => {
    for (const [, name = ""] of JSON.stringify(visited ?? null).matchAll(/"#\/definitions\/([^"]+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      visit(definitions[name]);
    }
  };
  visit(value);
  return found;
}
