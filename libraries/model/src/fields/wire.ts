/**
 * A cluster in the shape of an API version, while a request is worked on: members that the version knows,
 * with checked types, and nothing else. Names of members come from the schema; names of map entries come
 * from clients, so maps are read with `Object.entries` and `Object.hasOwn` only.
 */
export type Wire = { readonly [member: string]: WireValue };
export type WireValue = string | number | boolean | Wire | readonly WireValue[];

export function isWireObject(value: WireValue | undefined): value is Wire {
  return typeof value === "object" && !Array.isArray(value);
}

export function isWireList(value: WireValue | undefined): value is readonly WireValue[] {
  return Array.isArray(value);
}

/** An object of the entries that have a value. Own members even for names such as `__proto__`. */
export function wireOf(entries: Iterable<readonly [string, WireValue | undefined]>): Wire {
  const present: [string, WireValue][] = [];
  for (const [name, value] of entries) if (value !== undefined) present.push([name, value]);
  return Object.fromEntries(present);
}

/** The text at a member; empty when absent, as on the wire. */
export function textOf(value: WireValue | undefined): string {
  return typeof value === "string" ? value : "";
}
