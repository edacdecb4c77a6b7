import type { Type } from "./type.ts";
import type { Value } from "./value.ts";

/** True if a value is of the type `type`. Nested values are not checked. */
export function fits(value: Value, type: Type): boolean {
  switch (type.kind) {
    case "dyn":
    case "parameter":
      return true;
    case "null":
      return value === null;
    case "bool":
      return typeof value === "boolean";
    case "int":
      return typeof value === "bigint";
    case "double":
      return typeof value === "number";
    case "string":
      return typeof value === "string";
    case "opaque":
      if (typeof value !== "object" || value === null) return false;
      return type.name === "optional_type"
        ? value.kind === "optional"
        : value.kind === "opaque" && value.typeName === type.name;
    case "object":
      return typeof value === "object" && (value === null || value.kind === "object" || value.kind === "map");
    default:
      return typeof value === "object" && value !== null && value.kind === type.kind;
  }
}
