import { equalJson, type KnownEqual, requestBudget } from "@keelson/apimachinery";
import { exactJson, isPlainObject, type WorkBudget } from "@keelson/base";
import type { StructuralSchema } from "./structural-schema.ts";

/**
 * Value of an updated object with its previous value. Unchanged invalid values are tolerated (Kubernetes
 * calls this ratcheting), so each part must be correlated with its counterpart in the old object.
 */
export class Correlated {
  readonly old: unknown;
  readonly #value: unknown;
  readonly #schema: StructuralSchema | undefined;
  readonly #pair: Pair;
  #elements: ReadonlyMap<string, unknown> | undefined;

  /** `schema` is the schema of the value. Without one, only lists in the same order are equal. */
  constructor(value: unknown, old: unknown, schema: StructuralSchema | undefined, pair: Pair) {
    this.#value = value;
    this.old = old;
    this.#schema = schema;
    this.#pair = pair;
  }

  /** True if the value is equal JSON, with lists in the same order. */
  isSame(): boolean {
    return equalJson(this.#value, this.old, this.#pair.budget, this.#pair.known);
  }

  /** True if the value is equal except for the order of lists of type map. */
  unchanged(): boolean {
    return this.isSame() || this.#isReordered();
  }

  /** True if only the order of lists of type map changed. Their elements are matched by key. */
  #isReordered(): boolean {
    const [value, old, schema] = [this.#value, this.old, this.#schema];
    if (!schema?.has.keyedLists) return false;
    if (Array.isArray(value)) {
      if (!Array.isArray(old) || old.length !== value.length) return false;
      return value.every((each) => this.element(schema, each)?.unchanged());
    }
    if (!isPlainObject(value) || !isPlainObject(old)) return false;
    const members = Object.entries(value);
    return (
      members.length === Object.keys(old).length &&
      members.every(([name, each]) => this.member(name, each)?.unchanged())
    );
  }

  /** Correlates a property with the old object. Undefined if the old object lacks it. */
  member(name: string, value: unknown): Correlated | undefined {
    const { old } = this;
    if (!isPlainObject(old) || !Object.hasOwn(old, name)) return undefined;
    const others = this.#schema?.additionalProperties;
    const schema = this.#schema?.properties.get(name) ?? (others === "any" ? undefined : others);
    return new Correlated(value, old[name], schema, this.#pair);
  }

  /** Correlates an element with the old list by its keys. Only lists of type map have keys. */
  element(schema: StructuralSchema, value: unknown): Correlated | undefined {
    if (schema.listType !== "map" || !Array.isArray(this.old)) return undefined;
    this.#elements ??= byKeys(schema, this.old, this.#pair.budget);
    const key = keysOf(schema, value);
    const found = key === undefined ? undefined : this.#elements.get(key);
    return found === undefined ? undefined : new Correlated(value, found, schema.items, this.#pair);
  }
}

/**
 * State common to all parts of two objects. It caches comparisons, so that nested parts are not compared
 * repeatedly.
 */
interface Pair {
  readonly budget: WorkBudget;
  readonly known: KnownEqual;
}

export function correlate(
  schema: StructuralSchema,
  value: unknown,
  old: unknown,
  budget: WorkBudget = requestBudget(),
): Correlated {
  return new Correlated(value, old, schema, { budget, known: new WeakMap() });
}

/** Elements of a map list by key. Of several with equal keys, the first. */
export function byKeys(
  schema: StructuralSchema,
  list: readonly unknown[],
  budget: WorkBudget,
): ReadonlyMap<string, unknown> {
  budget.spend(list.length);
  const elements = new Map<string, unknown>();
  for (const each of list) {
    const key = keysOf(schema, each);
    if (key !== undefined && !elements.has(key)) elements.set(key, each);
  }
  return elements;
}

/** Serialized keys of an element in a map list. Missing keys have their defaults. */
export function keysOf({ listMapKeys, items }: StructuralSchema, element: unknown): string | undefined {
  if (!isPlainObject(element)) return undefined;
  if (listMapKeys.length === 1) {
    const only = element[listMapKeys[0] ?? ""];
    // Fast path for a single string key. Serialized key lists begin with a bracket instead of a quote.
    if (typeof only === "string") return `"${only}`;
  }
  return exactJson(
    listMapKeys.map((key) =>
      Object.hasOwn(element, key) ? element[key] : (items?.properties.get(key)?.default ?? null),
    ),
  );
}
