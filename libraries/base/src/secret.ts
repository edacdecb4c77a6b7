import { inspect } from "node:util";

const redacted = "[REDACTED]";

/** Lazy source of a secret's value. */
export interface SecretSource {
  /** Throws if the value is unavailable. */
  open(): string;
}

/**
 * Secret string that is redacted in all output and serialization. Only `reveal` returns the value. Call it
 * right where the value is used.
 */
export class Secret {
  /** A source is opened at each `reveal`, so that its value is not stored in memory. */
  readonly #value: string | SecretSource;

  constructor(value: string | SecretSource) {
    this.#value = value;
  }

  /** @throws errors of its source */
  reveal(): string {
    return typeof this.#value === "string" ? this.#value : this.#value.open();
  }

  /** Source from the constructor. */
  get source(): SecretSource | undefined {
    return typeof this.#value === "string" ? undefined : this.#value;
  }

  /** @throws errors of the sources */
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
