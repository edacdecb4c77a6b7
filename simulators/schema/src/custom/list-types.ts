import { fieldError, requestBudget, type StatusCause } from "@keelson/apimachinery";
import { exactJson, isPlainObject, type WorkBudget } from "@keelson/base";
import { keysOf } from "./correlation.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/** Returns the errors for duplicate elements in lists of type set or map. */
export function validateListTypes(
  schema: StructuralSchema,
  value: unknown,
  path = "",
  budget: WorkBudget = requestBudget(),
): readonly StatusCause[] {
  const causes: StatusCause[] = [];
  search(schema, value, path, { causes, budget });
  return causes;
}

interface Search {
  readonly causes: StatusCause[];
  readonly budget: WorkBudget;
}

function search(schema: StructuralSchema, value: unknown, path: string, at: Search): void {
  if (!schema.has.keyedLists) return;
  at.budget.spend(1);
  if (Array.isArray(value)) {
    if (schema.listType === "set") checkSet(value, path, at);
    if (schema.listType === "map") checkMap(schema, value, path, at);
    const { items } = schema;
    if (!items?.has.keyedLists) return;
    for (const [index, each] of value.entries()) search(items, each, `${path}[${index}]`, at);
  } else if (isPlainObject(value)) {
    const { properties, additionalProperties } = schema;
    for (const name of Object.keys(value)) {
      const known = properties.get(name);
      if (known) search(known, value[name], path ? `${path}.${name}` : name, at);
      else if (additionalProperties && additionalProperties !== "any") {
        search(additionalProperties, value[name], `${path}[${name}]`, at);
      }
    }
  }
}

function checkSet(list: readonly unknown[], path: string, { causes, budget }: Search): void {
  reportRepeated(
    list.map((each) => {
      const text = exactJson(each);
      budget.spend(1, text.length);
      return text;
    }),
    (at) => {
      causes.push(repeated(`${path}[${at}]`, list[at]));
    },
  );
}

function checkMap(
  schema: StructuralSchema,
  list: readonly unknown[],
  path: string,
  { causes, budget }: Search,
): void {
  budget.spend(list.length);
  const wrong = list.findIndex((each) => each !== null && !isPlainObject(each));
  if (wrong >= 0) {
    const why = "must be an object for an array of list-type map";
    causes.push(fieldError.invalid(`${path}[${wrong}]`, list[wrong], why));
    return;
  }
  reportRepeated(
    list.map((each) => keysOf(schema, each) ?? "null"),
    (at) => {
      causes.push(repeated(`${path}[${at}]`, pick(list[at], schema.listMapKeys)));
    },
  );
}

/** Reports each duplicate value once, at its second occurrence. */
function reportRepeated(keys: readonly string[], report: (at: number) => void): void {
  const times = new Map<string, number>();
  for (const [at, key] of keys.entries()) {
    const count = (times.get(key) ?? 0) + 1;
    times.set(key, count);
    if (count === 2) report(at);
  }
}

function pick(element: unknown, names: readonly string[]): unknown {
  if (!isPlainObject(element)) return element;
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(element, name)).map((name) => [name, element[name]]),
  );
}

/** Returns the error of a duplicate value. Kubernetes prints the value in Go syntax. */
function repeated(field: string, value: unknown): StatusCause {
  return { reason: "FieldValueDuplicate", message: `Duplicate value: ${goSyntax(value)}`, field };
}

function goSyntax(value: unknown): string {
  if (value === null) return "interface {}(nil)";
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  if (!isPlainObject(value)) return exactJson(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${goSyntax(member)}`,
  );
  return `map[string]interface {}{${members.toSorted().join(", ")}}`;
}
