import { quantityFault } from "@keelson/apimachinery";
import { exactJson } from "@keelson/base";
import type { ObjectSchema, TypeSchema } from "./type-schema.ts";

/** Returns the error of Go's JSON decoder for an invalid field value. `path` is the field's path in `owner`. */
export function complaint(type: TypeSchema, value: unknown, path: string, owner: ObjectSchema): string {
  switch (type.type) {
    case "quantity":
      return quantityFault(typeof value === "string" ? value : exactJson(value)) ?? "";
    case "time":
    case "microTime":
      if (typeof value !== "string") break;
      return `parsing time ${exactJson(value)} as "${layouts[type.type]}": cannot parse ${exactJson(value)} as "2006"`;
    case "bytes":
      if (typeof value === "string") return `illegal base64 data at input byte ${wrongByte(value)}`;
  }
  const field = `${owner.name.slice(owner.name.lastIndexOf(".") + 1)}.${fieldPath(path)}`;
  return `json: cannot unmarshal ${wordFor(type, value)} into Go struct field ${field} of type ${goType(type)}`;
}

const layouts = { time: "2006-01-02T15:04:05Z07:00", microTime: "2006-01-02T15:04:05.000000Z07:00" } as const;

/** Removes list indexes, because Go does not report them. */
function fieldPath(path: string): string {
  return path.replace(/\[\d+\]/g, "");
}

function wordFor(type: TypeSchema, value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  const wantsNumber = type.type === "int32" || type.type === "int64";
  return (typeof value === "number" || typeof value === "bigint") && wantsNumber
    ? `number ${value}`
    : typeof value;
}

function goType(type: TypeSchema): string {
  switch (type.type) {
    case "object":
      return type.name.split(".").slice(1).join(".");
    case "list":
      return `[]${goType(type.items)}`;
    case "map":
      return `map[string]${goType(type.values)}`;
    case "boolean":
      return "bool";
    case "number":
      return "float64";
    case "bytes":
      return "[]uint8";
    case "quantity":
      return "resource.Quantity";
    case "intOrString":
      return "intstr.IntOrString";
    case "time":
      return "v1.Time";
    case "microTime":
      return "v1.MicroTime";
    default:
      return type.type;
  }
}

function wrongByte(text: string): number {
  const at = text.search(/[^A-Za-z0-9+/\r\n]/);
  return at < 0 ? text.length - (text.length % 4) : at;
}
