import { inspect } from "node:util";

const redacted = "[REDACTED]";

/**
 * A secret text that redacts itself wherever it is printed or serialised.
 * Only `reveal` gives the value; call it where the value leaves for its one legitimate reader.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  equals(other: Secret): boolean {
    return this.#value === other.#value;
  }

  toJSON(): string {
    return redacted;
  }

  toString(): string {
    return redacted;
  }

  [inspect.custom](): string {
    return redacted;
  }
}
