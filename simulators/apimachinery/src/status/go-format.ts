import { isPlainObject } from "@keelson/base";

/** Maximum length of a formatted value in characters. */
const maxLength = 200;

/** Formats a decoded JSON value like Go's `%v`. */
export function goValue(value: unknown): string {
  return shown(value, plain).slice(0, maxLength);
}

/** Formats a decoded JSON value like Go's `%#v`. */
export function goSyntax(value: unknown): string {
  return shown(value, syntax).slice(0, maxLength);
}

/** Returns the Go type of a decoded JSON value. */
export function goType(value: unknown): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return "[]interface {}";
  switch (typeof value) {
    case "boolean":
      return "bool";
    case "number":
      return Number.isInteger(value) ? "int64" : "float64";
    case "bigint":
      return "int64";
    case "string":
      return "string";
    default:
      return "map[string]interface {}";
  }
}

interface Notation {
  readonly nothing: string;
  text(value: string): string;
  list(items: readonly string[]): string;
  /** Formats entries sorted by name. */
  map(members: readonly (readonly [string, string])[]): string;
}

const plain: Notation = {
  nothing: "<nil>",
  text: (value) => value,
  list: (items) => `[${items.join(" ")}]`,
  map: (members) => `map[${members.map(([name, value]) => `${name}:${value}`).join(" ")}]`,
};

const syntax: Notation = {
  nothing: "interface {}(nil)",
  text: (value) => JSON.stringify(value),
  list: (items) => `[]interface {}{${items.join(", ")}}`,
  map: (members) =>
    `map[string]interface {}{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(", ")}}`,
};

function shown(value: unknown, notation: Notation): string {
  if (value === null || value === undefined) return notation.nothing;
  if (typeof value === "string") return notation.text(value);
  if (Array.isArray(value)) return notation.list(firstShown(value).map((each) => shown(each, notation)));
  if (!isPlainObject(value)) return String(value);
  const names = firstShown(Object.keys(value).sort());
  return notation.map(names.map((name) => [name, shown(value[name], notation)] as const));
}

/** Returns the first `maxLength` items. Later items cannot appear in the formatted value, because its length is limited. */
function firstShown<T>(parts: readonly T[]): readonly T[] {
  return parts.slice(0, maxLength);
}
