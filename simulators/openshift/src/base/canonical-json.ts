import { exactJson, isPlainObject } from "@keelson/base";

/** Returns JSON with sorted fields. Equal values result in equal strings. */
export function canonicalJson(value: unknown): string {
  return exactJson(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member)]));
}
