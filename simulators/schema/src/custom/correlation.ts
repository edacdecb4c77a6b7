import { equalJson, type KnownEqual, requestBudget } from "@keelson/apimachinery";
import { exactJson, isPlainObject, type WorkBudget } from "@keelson/base";
import type { StructuralSchema } from "./structural-schema.ts";

/**
 * A value of an object that is updated, beside what it was before. What was wrong already and has not changed is
 * tolerated (Kubernetes calls it ratcheting), so each part has to be found again in the old object.
 */
export class Correlated {
  readonly old: unknown;
  readonly #value: unknown;
  readonly #schema: StructuralSchema | undefined;
  readonly #pair: Pair;
  #elements: ReadonlyMap<string, unknown> | undefined;

  /** `schema` is the value's own; without one, lists are the same in the same order only. */
  constructor(value: unknown, old: unknown, schema: StructuralSchema | undefined, pair: Pair) {
    this.#value = value;
    this.old = old;
    this.#schema = schema;
    this.#pair = pair;
  }

  /** Whether it is the same JSON as before, lists in the same order. */
  isSame(): boolean {
    return equalJson(this.#value, this.old, this.#pair.budget, this.#pair.known);
  }

  /** Whether it is the same as before, but for the order of lists of type map. */
  unchanged(): boolean {
    return this.isSame() || this.#isReordered();
  }

  /** Whether nothing but the order of lists of type map changed, whose elements are found by their keys. */
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

  /** The same member of the old object; `undefined` when it had none. */
  member(name: string, value: unknown): Correlated | undefined {
    const { old } = this;
    if (!isPlainObject(old) || !Object.hasOwn(old, name)) return undefined;
    const others = this.#schema?.additionalProperties;
    const schema = this.#schema?.properties.get(name) ?? (others === "any" ? undefined : others);
    return new Correlated(value, old[name], schema, this.#pair);
  }

  /** The element of the old list with the same keys. Only lists of type map have such. */
  element(schema: StructuralSchema, value: unknown): Correlated | undefined {
    if (schema.listType !== "map" || !Array.isArray(this.old)) return undefined;
    this.#elements ??= byKeys(schema, this.old, this.#pair.budget);
    const key = keysOf(schema, value);
    const found = key === undefined ? undefined : this.#elements.get(key);
    return found === undefined ? undefined : new Correlated(value, found, schema.items, this.#pair);
  }
}

/** What all parts of two objects share: parts that were compared are not compared again with what is around them. */
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

/** The elements of a map list by their keys; of several with the same keys the first. */
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

/** The keys of an element of a map list as one text; keys that are left out have their defaults. */
export function keysOf({ listMapKeys, items }: StructuralSchema, element: unknown): string | undefined {
  if (!isPlainObject(element)) return undefined;
  if (listMapKeys.length === 1) {
    const only = element[listMapKeys[0] ?? ""];
    // Of by far the most lists. The text of no other value begins like this.
    if (typeof only === "string") return `"${only}`;
  }
  return exactJson(
    listMapKeys.map((key) =>
      Object.hasOwn(element, key) ? element[key] : (items?.properties.get(key)?.default ?? null),
    ),
  );
}
