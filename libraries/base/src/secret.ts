import { inspect } from "node:util";

const redacted = "[REDACTED]";

/** Where a secret's text comes from when it is not at hand. */
export interface SecretSource {
  /** Throws when the text cannot be had. */
  open(): string;
}

/**
 * A secret text that redacts itself wherever it is printed or serialised.
 * Only `reveal` gives the value; call it where the value leaves for its one legitimate reader.
 */
export class Secret {
  /** A source is opened at each `reveal`: its text is kept nowhere, however long the secret itself is. */
  readonly #value: string | SecretSource;

  constructor(value: string | SecretSource) {
    this.#value = value;
  }

  /** @throws what its source throws */
  reveal(): string {
    return typeof this.#value === "string" ? this.#value : this.#value.open();
  }

  /** As given to the constructor. */
  get source(): SecretSource | undefined {
    return typeof this.#value === "string" ? undefined : this.#value;
  }

  /** @throws what the sources throw */
  equals(other: Secret): boolean {
    return this.reveal() === other.reveal();
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
