import { equalJson, type KnownEqual, requestBudget } from "@keelson/apimachinery";
import { exactJson, isPlainObject, type WorkBudget } from "@keelson/base";
import type { StructuralSchema } from "./structural-schema.ts";

/**
 * Value of an updated object, and the previous value at the same position. Kubernetes tolerates invalid values that an update
 * does not change (ratcheting). Each value must therefore be correlated with its previous value.
 */
export class Correlated {
  readonly old: unknown;
  readonly #value: unknown;
  readonly #schema: StructuralSchema | undefined;
  readonly #pair: Pair;
  #elements: ReadonlyMap<string, unknown> | undefined;

  /** `schema` is the schema of the value. Without a schema, lists are equal only if their order is equal. */
  constructor(value: unknown, old: unknown, schema: StructuralSchema | undefined, pair: Pair) {
    this.#value = value;
    this.old = old;
    this.#schema = schema;
    this.#pair = pair;
  }

  /** True if both values are equal JSON. Lists must have the same order. */
  isSame(): boolean {
    return equalJson(this.#value, this.old, this.#pair.budget, this.#pair.known);
  }

  /** True if both values are equal. The order of lists of type map does not matter. */
  unchanged(): boolean {
    return this.isSame() || this.#isReordered();
  }

  /** True if only the order of lists of type map changed. Elements are matched by key. */
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

  /** Correlates a property with the previous object. Returns undefined if the previous object does not have the property. */
  member(name: string, value: unknown): Correlated | undefined {
    const { old } = this;
    if (!isPlainObject(old) || !Object.hasOwn(old, name)) return undefined;
    const others = this.#schema?.additionalProperties;
    const schema = this.#schema?.properties.get(name) ?? (others === "any" ? undefined : others);
    return new Correlated(value, old[name], schema, this.#pair);
  }

  /**
   * Correlates a list element with the element of the previous list that has the same keys. Returns undefined if there is no such
   * element, or if the list does not have the type map.
   */
  element(schema: StructuralSchema, value: unknown): Correlated | undefined {
    if (schema.listType !== "map" || !Array.isArray(this.old)) return undefined;
    this.#elements ??= byKeys(schema, this.old, this.#pair.budget);
    const key = keysOf(schema, value);
    const found = key === undefined ? undefined : this.#elements.get(key);
    return found === undefined ? undefined : new Correlated(value, found, schema.items, this.#pair);
  }
}

/** Shared state of a comparison of two objects. It caches results, so nested values are compared only once. */
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

/** Returns the elements of a map list by key. If several elements have the same key, the first one is used. */
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

/** Returns the serialized keys of an element in a map list. Missing keys have their default values. */
export function keysOf({ listMapKeys, items }: StructuralSchema, element: unknown): string | undefined {
  if (!isPlainObject(element)) return undefined;
  if (listMapKeys.length === 1) {
    const only = element[listMapKeys[0] ?? ""];
    // Fast path for a single string key. The result cannot equal a serialized list of keys, because such a list begins with a
    // bracket.
    if (typeof only === "string") return `"${only}`;
  }
  return exactJson(
    listMapKeys.map((key) =>
      Object.hasOwn(element, key) ? element[key] : (items?.properties.get(key)?.default ?? null),
    ),
  );
}
