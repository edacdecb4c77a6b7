import { canonicalQuantity, type Precision } from "@keelson/apimachinery";
import { isPlainObject } from "@keelson/base";
import { complaint } from "./complaint.ts";
import type { ObjectSchema, TypeSchema } from "./type-schema.ts";

/** Result of decoding an object of a built-in kind. */
export interface DecodeResult {
  /**
   * Object without unknown fields and without null fields. Null items of lists and maps become zero values. Quantities are
   * canonical.
   */
  readonly value: Readonly<Record<string, unknown>>;
  /** Paths of unknown fields, such as `spec.template.spec.containers[0].imaeg`. */
  readonly unknownFields: readonly string[];
  /** Values of the wrong type. The server rejects them with 400. */
  readonly mismatches: readonly Mismatch[];
}

interface Mismatch {
  readonly path: string;
  /** JSON type of the value: `string`, `number`, `object`, ... */
  readonly found: string;
  /** Expected type: `string`, `int32`, `quantity`, `list`, ... */
  readonly wanted: TypeSchema["type"];
  /** Error message of Go's JSON decoder. */
  readonly message: string;
}

/** Decodes `object` with the type `schema`. `object` is not changed. */
export function decodeToType(schema: ObjectSchema, object: Readonly<Record<string, unknown>>): DecodeResult {
  const unknownFields: string[] = [];
  const mismatches: Mismatch[] = [];

  const fit = (type: TypeSchema, value: unknown, path: string, owner: ObjectSchema): unknown => {
    switch (type.type) {
      case "object":
        return isPlainObject(value) ? members(type, value, path) : mismatch(type, value, path, owner);
      case "map":
        return isPlainObject(value)
          ? entries(type.values, value, path, owner)
          : mismatch(type, value, path, owner);
      case "list":
        return Array.isArray(value)
          ? value.map((item, index) =>
              item === null ? zeroOf(type.items) : fit(type.items, item, `${path}[${index}]`, owner),
            )
          : mismatch(type, value, path, owner);
      case "quantity":
        return amount(type, value, "nano", path, owner);
    }
    if (!isScalar(type, value)) return mismatch(type, value, path, owner);
    return type.type === "time" || type.type === "microTime"
      ? canonicalTime(type.type, String(value))
      : value;
  };
  const amount = (
    type: TypeSchema,
    value: unknown,
    precision: Precision,
    path: string,
    owner: ObjectSchema,
  ): unknown => {
    const text = typeof value === "number" || typeof value === "bigint" ? String(value) : value;
    const canonical = typeof text === "string" ? canonicalQuantity(text, precision) : undefined;
    return canonical ?? mismatch(type, value, path, owner);
  };
  const mismatch = (
    type: TypeSchema,
    value: unknown,
    path: string,
    owner: ObjectSchema,
    field = path,
  ): undefined => {
    const found = Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
    mismatches.push({ path, found, wanted: type.type, message: complaint(type, value, field, owner) });
  };
  const members = (type: ObjectSchema, value: Readonly<Record<string, unknown>>, path: string) =>
    Object.fromEntries(
      Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
        const field = type.fields.get(name);
        const inside = path === "" ? name : `${path}.${name}`;
        if (!field) unknownFields.push(inside);
        return field && member !== null ? [[name, fit(field.schema, member, inside, type)]] : [];
      }),
    );
  const entries = (
    values: TypeSchema,
    value: Readonly<Record<string, unknown>>,
    path: string,
    owner: ObjectSchema,
  ) => {
    if (values.type === "string" && holdsTextsOnly(value)) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, entry]): [string, unknown][] => {
        if (entry === null) return [[name, zeroOf(values)]];
        const inside = `${path}.${name}`;
        // A map of quantities is a resource list.
        if (values.type === "quantity") return [[name, amount(values, entry, "milli", inside, owner)]];
        if (values.type === "string" && typeof entry !== "string")
          mismatch(values, entry, inside, owner, path);
        return [[name, values.type === "string" ? entry : fit(values, entry, inside, owner)]];
      }),
    );
  };

  return { value: members(schema, object, ""), unknownFields, mismatches };
}

/** Returns the zero value that replaces null in a list or map, as in Go's decoder. */
function zeroOf(type: TypeSchema): unknown {
  switch (type.type) {
    case "object":
    case "map":
      return {};
    case "list":
      return [];
    case "boolean":
      return false;
    case "quantity":
      return "0";
    case "string":
    case "bytes":
      return "";
    case "any":
    case "time":
    case "microTime":
      return null;
    default:
      return 0;
  }
}

function holdsTextsOnly(map: Readonly<Record<string, unknown>>): boolean {
  for (const name in map) if (typeof map[name] !== "string") return false;
  return true;
}

/** Formats a time like Go, in UTC. The precision is seconds or microseconds. */
function canonicalTime(type: "time" | "microTime", text: string): string {
  const fraction = /[.,](\d+)/.exec(text)?.[1] ?? "";
  const seconds = new Date(text.replace(/[.,]\d+/, "")).toISOString().slice(0, 19);
  return type === "time" ? `${seconds}Z` : `${seconds}.${fraction.slice(0, 6).padEnd(6, "0")}Z`;
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function isScalar({ type }: TypeSchema, value: unknown): boolean {
  switch (type) {
    case "string":
      return typeof value === "string";
    case "boolean":
      return typeof value === "boolean";
    case "number":
      return typeof value === "number" || typeof value === "bigint";
    case "int32":
      return typeof value === "number" && Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31;
    case "int64":
      return typeof value === "bigint" || (Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 63);
    case "intOrString":
      return typeof value === "string" || Number.isInteger(value);
    case "time":
    case "microTime":
      return typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value));
    case "bytes":
      return typeof value === "string" && base64.test(value.replace(/[\r\n]/g, ""));
    case "any":
      return true;
    default:
      return false;
  }
}
