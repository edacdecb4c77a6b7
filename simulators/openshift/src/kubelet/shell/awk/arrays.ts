import { textOf, type Value } from "./values.ts";

const maxEntries = 200_000;
const maxCharacters = 32 * 1_024 * 1_024;

/** What all arrays of a program hold together. */
export class ArrayBudget {
  #entries = 0;
  #characters = 0;

  /** @throws Error when that is too much */
  change(entries: number, characters: number): void {
    this.#entries += entries;
    this.#characters += characters;
    if (this.#entries > maxEntries || this.#characters > maxCharacters)
      throw new Error("the arrays are too large");
  }
}

/** An associative array. */
export class AwkArray {
  readonly #budget: ArrayBudget;
  readonly #entries = new Map<string, Value>();

  constructor(budget: ArrayBudget) {
    this.#budget = budget;
  }

  get size(): number {
    return this.#entries.size;
  }

  get keys(): readonly string[] {
    return [...this.#entries.keys()];
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** Asking for an element makes it. */
  get(key: string): Value {
    if (!this.#entries.has(key)) this.set(key, undefined);
    return this.#entries.get(key);
  }

  set(key: string, value: Value): void {
    const known = this.#entries.has(key);
    const before = known ? sizeOf(this.#entries.get(key)) : 0;
    this.#budget.change(known ? 0 : 1, (known ? 0 : key.length) + sizeOf(value) - before);
    this.#entries.set(key, value);
  }

  delete(key: string): void {
    if (!this.#entries.has(key)) return;
    this.#budget.change(-1, -key.length - sizeOf(this.#entries.get(key)));
    this.#entries.delete(key);
  }

  clear(): void {
    for (const key of this.keys) this.delete(key);
  }
}

function sizeOf(value: Value): number {
  return typeof value === "number" ? 8 : textOf(value).length;
}
