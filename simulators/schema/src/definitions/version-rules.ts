import { fieldError, type StatusCause, scalarStringAt } from "@keelson/apimachinery";
import { listAt, valueAt } from "@keelson/base";
import { fieldPathOf } from "../custom/field-path.ts";
import { sharedSchema } from "../custom/shared-schema.ts";
import type { StructuralSchema } from "../custom/structural-schema.ts";

const maxSelectableFields = 8;

/** Returns the validation errors of the `scale` subresource's paths. */
export function validateSubresources(subresources: unknown, path: string): readonly StatusCause[] {
  const scale = valueAt(subresources, "scale");
  if (scale === undefined) return [];
  return [
    ...replicasPath(scalarStringAt(scale, "specReplicasPath"), ".spec.", `${path}.scale.specReplicasPath`),
    ...replicasPath(
      scalarStringAt(scale, "statusReplicasPath"),
      ".status.",
      `${path}.scale.statusReplicasPath`,
    ),
    ...selectorPath(scalarStringAt(scale, "labelSelectorPath"), `${path}.scale.labelSelectorPath`),
  ];
}

function replicasPath(text: string, under: string, field: string): readonly StatusCause[] {
  if (!text) return [fieldError.required(field)];
  const wrong = simplePath(text, field);
  if (wrong.length > 0) return wrong;
  return text.startsWith(under)
    ? []
    : [fieldError.invalid(field, text, `should be a json path under ${under.slice(0, -1)}`)];
}

function selectorPath(text: string, field: string): readonly StatusCause[] {
  if (!text) return [];
  const wrong = simplePath(text, field);
  if (wrong.length > 0 || text.startsWith(".spec.") || text.startsWith(".status.")) return wrong;
  return [fieldError.invalid(field, text, "should be a json path under either .spec or .status")];
}

function simplePath(text: string, field: string): readonly StatusCause[] {
  return text.startsWith(".")
    ? []
    : [fieldError.invalid(field, text, "must be a simple json path starting with .")];
}

const columnTypes = ["boolean", "date", "integer", "number", "string"];
const columnFormats = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];

/** Returns the validation errors of printer columns. */
export function validateColumns(columns: readonly unknown[], path: string): readonly StatusCause[] {
  return columns.flatMap((column, at) => {
    const field = `${path}[${at}]`;
    const type = scalarStringAt(column, "type");
    const format = scalarStringAt(column, "format");
    const jsonPath = scalarStringAt(column, "jsonPath");
    const oneOf = `must be one of ${columnTypes.join(",")}`;
    return [
      ...(scalarStringAt(column, "name") ? [] : [fieldError.required(`${field}.name`)]),
      ...(!type ? [fieldError.required(`${field}.type`, oneOf)] : []),
      ...(type && !columnTypes.includes(type) ? [fieldError.invalid(`${field}.type`, type, oneOf)] : []),
      ...(format && !columnFormats.includes(format)
        ? [fieldError.invalid(`${field}.format`, format, `must be one of ${columnFormats.join(",")}`)]
        : []),
      ...(jsonPath ? simplePath(jsonPath, `${field}.JSONPath`) : [fieldError.required(`${field}.JSONPath`)]),
    ];
  });
}

/** Returns the validation errors of selectable fields. */
export function validateSelectableFields(version: unknown, path: string): readonly StatusCause[] {
  const fields = listAt(version, "selectableFields");
  if (fields.length === 0) return [];
  const schema = sharedSchema(valueAt(version, "schema", "openAPIV3Schema"));
  const causes: StatusCause[] = [];
  const seen = new Set<string>();
  for (const [at, each] of fields.entries()) {
    const field = `${path}[${at}].jsonPath`;
    const jsonPath = scalarStringAt(each, "jsonPath");
    if (!jsonPath) {
      causes.push(fieldError.required(field));
      continue;
    }
    const found = jsonPath.includes("[") ? undefined : fieldPathOf(jsonPath, schema);
    if (!found) {
      causes.push(
        fieldError.invalid(field, jsonPath, `is an invalid path: ${unselectable(jsonPath, schema)}`),
      );
      continue;
    }
    if (found.root === "metadata") {
      causes.push(fieldError.invalid(field, jsonPath, "must not point to fields in metadata"));
    }
    if (!["string", "boolean", "integer"].includes(found.schema?.type ?? "")) {
      const why =
        "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";
      causes.push(fieldError.invalid(field, jsonPath, why));
    }
    if (seen.has(found.text)) causes.push(fieldError.duplicate(field, jsonPath));
    seen.add(found.text);
  }
  if (seen.size > maxSelectableFields) causes.push(fieldError.tooMany(path, seen.size, maxSelectableFields));
  return causes;
}

/** Returns the first reason why a path cannot be a selectable field. */
function unselectable(path: string, schema: StructuralSchema): string {
  if (!path.startsWith(".") && !path.startsWith("["))
    return `expected [ or . but got: ${path.split(".", 1)[0]}`;
  const [before = ""] = path.split("[", 1);
  const isSound = (part: string) => part === "" || fieldPathOf(part, schema) !== undefined;
  if (before.length < path.length && isSound(before)) return "array notation is not allowed";
  if (path.endsWith(".") && isSound(path.slice(0, -1))) return "unexpected end of JSON path";
  return "does not refer to a valid field";
}
