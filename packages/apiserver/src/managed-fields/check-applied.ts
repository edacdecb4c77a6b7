import { isPlainObject } from "@keelson/base";
import { boundedJson } from "../json/bounded-json.ts";
import { formatPath, itemElement } from "./elements.ts";
import type { ListShape, SetShape, Shape } from "./shape.ts";

/** What keeps a configuration from being applied, each with its path: `.spec.x: field not declared in schema`. */
export function appliedErrors(shape: Shape, applied: unknown): readonly string[] {
  return errorsIn(shape, applied, []).slice(0, maxErrors);
}

/** A configuration can be wrong in each of its fields. */
const maxErrors = 100;

type Path = readonly string[];

function errorsIn(shape: Shape, value: unknown, path: Path): readonly string[] {
  if (value === null || value === undefined || shape.kind === "leaf" || shape.kind === "free") return [];
  if (shape.kind === "set" || shape.kind === "list") {
    return Array.isArray(value) ? errorsInList(shape, value, path) : [mismatch(path, "list", value)];
  }
  if (!isPlainObject(value)) return [mismatch(path, "map", value)];
  return Object.entries(value).flatMap(([name, member]) => {
    const inside = [...path, `f:${name}`];
    const known = shape.kind === "map" || shape.fields.has(name) || shape.others !== undefined;
    if (!known) return [`${formatPath(inside)}: field not declared in schema`];
    const inner = shape.kind === "map" ? shape.values : (shape.fields.get(name) ?? shape.others);
    return inner ? errorsIn(inner, member, inside) : [];
  });
}

function errorsInList(shape: ListShape | SetShape, list: readonly unknown[], path: Path): readonly string[] {
  const seen = new Set<string>();
  return list.flatMap((item, at) => {
    const unfit = shape.kind === "list" ? unfitItem(shape, item) : unfitSetItem(item);
    if (unfit) return [`${formatPath(path)}: element ${at}: ${unfit}`];
    const element = itemElement(shape, item);
    const again = seen.has(element);
    seen.add(element);
    return [
      ...(again ? [`${formatPath(path)}: duplicate entries for key ${formatPath([element])}`] : []),
      ...(shape.kind === "list" ? errorsIn(shape.items, item, [...path, element]) : []),
    ];
  });
}

function unfitItem({ keys, defaults }: ListShape, item: unknown): string | undefined {
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
  if (isPlainObject(item)) return "associative list without keys has an element that's a map type";
  return Array.isArray(item) ? "not supported: associative list with lists as elements" : undefined;
}

function mismatch(path: Path, wanted: string, value: unknown): string {
  return `${formatPath(path)}: expected ${wanted}, got ${boundedJson(value, 200)}`;
}
