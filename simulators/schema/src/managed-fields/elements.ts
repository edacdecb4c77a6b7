import type { Pace, Phases } from "@keelson/apimachinery";
import { exactJson, isPlainObject, parseExactJson } from "@keelson/base";
import type { ListSchema, SetSchema } from "./field-schema.ts";

/** List items that have the same path element. Such items are owned and compared as one value. */
export class Duplicates {
  readonly items: unknown[];

  constructor(...items: unknown[]) {
    this.items = items;
  }
}

/** Returns the items of a list by path element. Several items with the same path element become `Duplicates`. */
export function* itemsOf(
  schema: ListSchema | SetSchema,
  list: readonly unknown[],
  pace: Pace,
): Phases<ReadonlyMap<string, unknown>> {
  const items = new Map<string, unknown>();
  for (const item of list) {
    if (pace.isOver()) yield;
    const element = itemElement(schema, item);
    const known = items.get(element);
    if (known instanceof Duplicates) known.items.push(item);
    else items.set(element, items.has(element) ? new Duplicates(known, item) : item);
  }
  return items;
}

/** Returns the path elements of all items. */
export function* elementsOf(
  schema: ListSchema | SetSchema,
  list: readonly unknown[],
  pace: Pace,
): Phases<readonly string[]> {
  const elements: string[] = [];
  for (const item of list) {
    if (pace.isOver()) yield;
    elements.push(itemElement(schema, item));
  }
  return elements;
}

/** Returns the path element of a list item. The element contains the item's value or keys. */
export function itemElement(schema: ListSchema | SetSchema, item: unknown): string {
  if (schema.kind === "set") return `v:${exactJson(item)}`;
  let keys = "";
  for (const key of schema.keys) {
    const value = (isPlainObject(item) ? item[key] : undefined) ?? schema.defaults[key];
    if (value === undefined) continue;
    keys += `${keys && ","}${JSON.stringify(key)}:${exactJson(value)}`;
  }
  return `k:{${keys}}`;
}

/** Formats a path for error messages, for example `.spec.containers[name="a"].image`. */
export function formatPath(path: readonly string[]): string {
  return path.map(formatElement).join("");
}

function formatElement(element: string): string {
  const rest = element.slice(2);
  switch (element.slice(0, 2)) {
    case "k:": {
      const keys = Object.entries(Object(parseExactJson(rest)));
      return `[${keys.map(([key, value]) => `${key}=${exactJson(value)}`).join(",")}]`;
    }
    case "v:":
      return `[=${rest}]`;
    case "i:":
      return `[${rest}]`;
    default:
      return `.${rest}`;
  }
}
