import { isPlainObject } from "@keelson/base";

/** Parses a JSON pointer (RFC 6901) to property names and indexes. Returns undefined if it is invalid. */
export function parsePointer(pointer: string): readonly string[] | undefined {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) return undefined;
  return pointer
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Returns the value at a path of own properties and indexes, or undefined if it does not exist. */
export function valueAtPath(document: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return isIndex(key) ? value[Number(key)] : undefined;
    return isPlainObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, document);
}

export function isIndex(key: string): boolean {
  return /^(?:0|[1-9]\d{0,8})$/.test(key);
}
