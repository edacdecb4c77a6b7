import { goSyntax, goType, goValue } from "@keelson/apimachinery";
import { isPlainObject } from "@keelson/base";
import { formatPath, itemElement } from "./elements.ts";
import type { FieldSchema, LeafContent, ListSchema, SetSchema } from "./field-schema.ts";

/** Returns the errors that prevent an apply. Each error begins with a path: `.spec.x: field not declared in schema`. */
export function appliedErrors(fieldSchema: FieldSchema, applied: unknown): readonly string[] {
  return errorsIn(fieldSchema, applied, []).slice(0, maxErrors);
}

/** Maximum number of reported errors. */
const maxErrors = 100;

type Path = readonly string[];

function errorsIn(fieldSchema: FieldSchema, value: unknown, path: Path): readonly string[] {
  if (value === null || value === undefined) return [];
  switch (fieldSchema.kind) {
    case "leaf":
      return fieldSchema.content ? errorsInLeaf(fieldSchema.content, value, path) : [];
    case "free":
      return fieldSchema.object && !isPlainObject(value) ? [mismatch(path, "map", value)] : [];
    case "set":
    case "list":
      return Array.isArray(value) ? errorsInList(fieldSchema, value, path) : [mismatch(path, "list", value)];
    default:
      break;
  }
  if (!isPlainObject(value)) return [mismatch(path, "map", value)];
  return Object.entries(value).flatMap(([name, member]) => {
    const inside = [...path, `f:${name}`];
    const known =
      fieldSchema.kind === "map" || fieldSchema.fields.has(name) || fieldSchema.others !== undefined;
    if (!known) return [`${formatPath(inside)}: field not declared in schema`];
    const inner =
      fieldSchema.kind === "map" ? fieldSchema.values : (fieldSchema.fields.get(name) ?? fieldSchema.others);
    return inner ? errorsIn(inner, member, inside) : [];
  });
}

function errorsInLeaf(content: LeafContent, value: unknown, path: Path): readonly string[] {
  if ("object" in content) return errorsIn(content.object, value, path);
  if ("items" in content) {
    if (!Array.isArray(value)) return [mismatch(path, "list", value)];
    return value.flatMap((item, at) => errorsIn(content.items, item, [...path, `i:${at}`]));
  }
  const type = typeof value;
  switch (content.scalar) {
    case "numeric":
      if (type === "number" || type === "bigint") return [];
      return [`${formatPath(path)}: expected numeric (int or float), got ${goType(value)}`];
    case "string":
      if (type === "string") return [];
      return [`${formatPath(path)}: expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`];
    case "boolean":
      return type === "boolean" ? [] : [mismatch(path, "boolean", value)];
    case "any":
      return type === "object" ? [mismatch(path, "any scalar", value)] : [];
  }
}

function errorsInList(
  fieldSchema: ListSchema | SetSchema,
  list: readonly unknown[],
  path: Path,
): readonly string[] {
  const seen = new Set<string>();
  const errors: string[] = [];
  for (const [at, item] of list.entries()) {
    const unfit = fieldSchema.kind === "list" ? unfitItem(fieldSchema, item) : unfitSetItem(item);
    // The validation of a list ends at the first item without keys.
    if (unfit) return [...errors, `${formatPath(path)}: element ${at}: ${unfit}`];
    const element = itemElement(fieldSchema, item);
    if (seen.has(element)) {
      errors.push(`${formatPath(path)}: duplicate entries for key ${formatPath([element])}`);
    }
    seen.add(element);
    for (const error of errorsIn(fieldSchema.items, item, [...path, element])) errors.push(error);
  }
  return errors;
}

function unfitItem({ keys, defaults }: ListSchema, item: unknown): string | undefined {
  if (item === null) return "associative list with keys may not have a null element";
  if (!isPlainObject(item)) return "associative list with keys may not have non-map elements";
  if (keys.some((key) => item[key] !== undefined || defaults[key] !== undefined)) return undefined;
  const names = keys.map((key) => JSON.stringify(key)).join(" ");
  return (
    `associative list with keys has an element that omits all key fields [${names}] ` +
    "(and doesn't have default values for any key fields)"
  );
}

function unfitSetItem(item: unknown): string | undefined {
  if (item === null) return "associative list without keys has an element that's an explicit null";
  if (isPlainObject(item)) return "associative list without keys has an element that's a map type";
  return Array.isArray(item) ? "not supported: associative list with lists as elements" : undefined;
}

function mismatch(path: Path, wanted: string, value: unknown): string {
  return `${formatPath(path)}: expected ${wanted}, got &{${goValue(value)}}`;
}
