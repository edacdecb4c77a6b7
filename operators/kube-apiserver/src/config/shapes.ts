import { isPlainObject } from "@keelson/base";
import type { SparseConfig } from "@keelson/operator-kit";

/** Type of a decoded value. Fields in `omitEmpty` are omitted if they have their zero value. */
export type Shape =
  | { readonly type: "text" | "flag" | "integer" | "number" | "raw" }
  | { readonly type: "list" | "map"; readonly of: Shape }
  | {
      readonly type: "object";
      readonly members: Readonly<Record<string, Shape>>;
      readonly omitEmpty: readonly string[];
    };

export const text: Shape = { type: "text" };
export const flag: Shape = { type: "flag" };
export const integer: Shape = { type: "integer" };
export const number: Shape = { type: "number" };
export const raw: Shape = { type: "raw" };
export const list = (of: Shape): Shape => ({ type: "list", of });
export const map = (of: Shape): Shape => ({ type: "map", of });
export const object = (members: Readonly<Record<string, Shape>>, ...omitEmpty: readonly string[]): Shape => ({
  type: "object",
  members,
  omitEmpty,
});

/**
 * Returns the value with only the fields that its shape describes. The paths of all other fields are added to `unknown`. Nulls
 * and raw values are preserved.
 * @throws Error with the path of a value of the wrong type
 */
export function restrict(value: unknown, shape: Shape, path: string, unknown: string[]): unknown {
  if (value === null || shape.type === "raw") return value;
  if (!matches(value, shape)) throw new Error(`${path} must be ${expectations[shape.type]}`);
  if (shape.type === "list")
    return (value as readonly unknown[]).map((each, index) =>
      restrict(each, shape.of, `${path}.${index}`, unknown),
    );
  if (shape.type === "map")
    return mapMembers(value as SparseConfig, path, (each, at) => restrict(each, shape.of, at, unknown));
  if (shape.type !== "object") return value;
  return mapMembers(value as SparseConfig, path, (each, at, name) => {
    const member = Object.hasOwn(shape.members, name) ? shape.members[name] : undefined;
    if (!member) {
      unknown.push(at);
      return undefined;
    }
    const kept = restrict(each, member, at, unknown);
    return shape.omitEmpty.includes(name) && isZero(kept) ? undefined : kept;
  });
}

function mapMembers(
  value: SparseConfig,
  path: string,
  change: (value: unknown, path: string, name: string) => unknown,
): SparseConfig {
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const changed = change(member, path === "" ? name : `${path}.${name}`, name);
    if (changed !== undefined) members.push([name, changed]);
  }
  return Object.fromEntries(members);
}

const expectations: Readonly<Record<Shape["type"], string>> = {
  text: "a text",
  flag: "true or false",
  integer: "a whole number",
  number: "a number",
  raw: "anything",
  list: "a list",
  map: "an object",
  object: "an object",
};

function matches(value: unknown, { type }: Shape): boolean {
  if (type === "text") return typeof value === "string";
  if (type === "flag") return typeof value === "boolean";
  if (type === "integer") return Number.isInteger(value);
  if (type === "number") return typeof value === "number";
  return type === "list" ? Array.isArray(value) : isPlainObject(value);
}

function isZero(value: unknown): boolean {
  if (value === null || value === "" || value === 0) return true;
  return Array.isArray(value) ? value.length === 0 : isPlainObject(value) && Object.keys(value).length === 0;
}
