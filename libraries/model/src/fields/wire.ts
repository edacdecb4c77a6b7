/**
 * Cluster in the form of an API version while a request is processed. It contains only known fields with the correct types. Field
 * names come from the schema. Map keys come from clients, so read maps only with `Object.entries` and `Object.hasOwn`.
 */
export type Wire = { readonly [member: string]: WireValue };
export type WireValue = string | number | boolean | Wire | readonly WireValue[];

export function isWireObject(value: WireValue | undefined): value is Wire {
  return typeof value === "object" && !Array.isArray(value);
}

export function isWireList(value: WireValue | undefined): value is readonly WireValue[] {
  return Array.isArray(value);
}

/** Creates an object from entries and skips entries without a value. Names such as `__proto__` become own properties. */
export function wireOf(entries: Iterable<readonly [string, WireValue | undefined]>): Wire {
  const present: [string, WireValue][] = [];
  for (const [name, value] of entries) if (value !== undefined) present.push([name, value]);
  return Object.fromEntries(present);
}

/** Returns a string value. Default: the empty string, as in external documents. */
export function textOf(value: WireValue | undefined): string {
  return typeof value === "string" ? value : "";
}
