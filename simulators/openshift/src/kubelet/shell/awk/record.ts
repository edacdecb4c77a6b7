import type { Patterns } from "./patterns.ts";
import { InputText, textOf, type Value } from "./values.ts";

const maxFields = 100_000;
const maxRecord = 1_024 * 1_024;

/** The present record and its fields: each is made of the other when it is needed. */
export class AwkRecord {
  readonly #patterns: Patterns;
  readonly #separators: { readonly fields: () => string; readonly output: () => string };
  #text: string | undefined = "";
  #fields: Value[] | undefined;
  #separator = " ";

  constructor(
    patterns: Patterns,
    separators: { readonly fields: () => string; readonly output: () => string },
  ) {
    this.#patterns = patterns;
    this.#separators = separators;
  }

  set(text: string): void {
    this.#text = text;
    // Fields are separated as FS is now, not as it will be when they are asked for.
    this.#fields = undefined;
    this.#separator = this.#separators.fields();
  }

  get text(): string {
    this.#text ??= bounded((this.#fields ?? []).map(textOf).join(this.#separators.output()));
    return this.#text;
  }

  get count(): number {
    return this.#split().length;
  }

  field(index: number): Value {
    if (index === 0) return new InputText(this.text);
    return this.#split()[checked(index) - 1];
  }

  setField(index: number, value: Value): void {
    if (index === 0) {
      this.set(textOf(value));
      return;
    }
    const fields = this.#split();
    for (let at = fields.length; at < checked(index) - 1; at++) fields.push("");
    fields[index - 1] = value;
    this.#text = undefined;
  }

  setCount(count: number): void {
    const fields = this.#split();
    if (checked(count) < fields.length) fields.length = count;
    while (fields.length < count) fields.push("");
    this.#text = undefined;
  }

  #split(): Value[] {
    this.#fields ??= this.#patterns
      .split(this.#text ?? "", this.#separator)
      .map((part) => new InputText(part));
    return this.#fields;
  }
}

function checked(index: number): number {
  if (!(index >= 0 && index <= maxFields)) throw new Error(`access to field ${index}`);
  return Math.trunc(index);
}

function bounded(text: string): string {
  if (text.length > maxRecord) throw new Error("a record is too long");
  return text;
}
