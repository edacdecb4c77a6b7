import { isPlainObject } from "@keelson/base";
import type { Fields } from "../catalogue/type-facts.ts";
import type { ObjectSchema, TypeSchema } from "../catalogue/type-schema.ts";
import { factLines, typeFacts } from "./known-facts.ts";
import { allTypes } from "./types.ts";

/** Returns the object with the defaults of its type. Unchanged nested values are shared with `object`. */
export function withTypeDefaults<T extends Fields>(type: ObjectSchema, object: T): T | Fields {
  const plan = planOf(type.name);
  return plan ? withPlannedDefaults(plan, object) : object;
}

interface Constant {
  readonly field: string;
  readonly value: unknown;
  readonly insteadOfZero: boolean;
}

/** Defaults of one type and of its nested types. */
interface Plan {
  readonly constants: readonly Constant[];
  readonly derive: ((object: Fields) => Fields) | undefined;
  readonly inside: readonly {
    readonly field: string;
    readonly shape: "object" | "list" | "map";
    plan: Plan;
  }[];
}

function withPlannedDefaults(plan: Plan, object: Fields): Fields {
  let result: Record<string, unknown> | undefined;
  for (const { field, value, insteadOfZero } of plan.constants) {
    const present = object[field];
    if (present !== undefined && present !== "" && !(insteadOfZero && present === 0)) continue;
    result ??= { ...object };
    result[field] = value;
  }
  let current: Fields = result ?? object;
  if (plan.derive) {
    const derived = plan.derive(current);
    if (derived !== current) {
      result = undefined;
      current = derived;
    }
  }
  for (const { field, shape, plan: inner } of plan.inside) {
    const before = current[field];
    if (before === undefined) continue;
    const after = insideOf(shape, inner, before);
    if (after === before) continue;
    result ??= { ...current };
    result[field] = after;
    current = result;
  }
  return current;
}

function insideOf(shape: "object" | "list" | "map", plan: Plan, value: unknown): unknown {
  if (shape === "list") {
    if (!Array.isArray(value)) return value;
    let items: unknown[] | undefined;
    for (let at = 0; at < value.length; at++) {
      const item: unknown = value[at];
      if (!isPlainObject(item)) continue;
      const after = withPlannedDefaults(plan, item);
      if (after === item) continue;
      items ??= [...value];
      items[at] = after;
    }
    return items ?? value;
  }
  if (!isPlainObject(value)) return value;
  if (shape === "object") return withPlannedDefaults(plan, value);
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      key,
      isPlainObject(entry) ? withPlannedDefaults(plan, entry) : entry,
    ]),
  );
}

let plans: ReadonlyMap<string, Plan> | undefined;

function planOf(name: string): Plan | undefined {
  plans ??= compile();
  return plans.get(name);
}

/** Compiles the plans of all types that have defaults or contain types with defaults. */
function compile(): ReadonlyMap<string, Plan> {
  const constants = new Map<string, readonly Constant[]>(
    factLines("defaults").map(([name, ...fields]) => [name, fields.map(parseConstant)]),
  );
  const derived = new Map(typeFacts.flatMap((facts) => Object.entries(facts.derived ?? {})));
  const own = (name: string) => constants.has(name) || derived.has(name);
  const useful = typesLeadingTo(own);
  const result = new Map<string, Plan>();
  const inner = new Map<string, { field: string; shape: "object" | "list" | "map"; plan: Plan }[]>();
  for (const name of useful) {
    const inside: { field: string; shape: "object" | "list" | "map"; plan: Plan }[] = [];
    inner.set(name, inside);
    result.set(name, { constants: constants.get(name) ?? [], derive: derived.get(name), inside });
  }
  for (const name of useful) {
    for (const [field, { schema }] of allTypes().get(name)?.fields ?? []) {
      const found = objectInside(schema);
      const plan = found && result.get(found.type.name);
      if (plan) inner.get(name)?.push({ field, shape: found.shape, plan });
    }
  }
  return result;
}

/** Returns the names of all types that `own` accepts, and of all types that contain them. */
export function typesLeadingTo(own: (name: string) => boolean): ReadonlySet<string> {
  const found = new Set([...allTypes().keys()].filter(own));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const [name, type] of allTypes()) {
      if (found.has(name)) continue;
      const leads = [...type.fields.values()].some(({ schema }) => {
        const inside = objectInside(schema);
        return inside !== undefined && found.has(inside.type.name);
      });
      if (leads) found.add(name);
    }
  }
  return found;
}

/** Returns the object type of a field. The field is an object, a list of objects or a map of objects. */
export function objectInside(
  schema: TypeSchema,
): { readonly shape: "object" | "list" | "map"; readonly type: ObjectSchema } | undefined {
  if (schema.type === "object") return { shape: "object", type: schema };
  if (schema.type === "list" && schema.items.type === "object") return { shape: "list", type: schema.items };
  if (schema.type === "map" && schema.values.type === "object") return { shape: "map", type: schema.values };
  return undefined;
}

function parseConstant(text: string): Constant {
  const [, field = "", colon, json = "null"] = /^([^:=]+)(:?)=(.+)$/.exec(text) ?? [];
  const value: unknown = JSON.parse(json);
  return { field, value, insteadOfZero: colon === ":" };
}
