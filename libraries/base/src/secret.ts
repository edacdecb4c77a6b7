import { inspect } from "node:util";

const redacted = "[REDACTED]";

/** Source that provides the value of a secret when it is needed. */
export interface SecretSource {
  /** Returns the value. Throws if it is unavailable. */
  open(): string;
}

/**
 * Secret string that is redacted in output and serialization. Only `reveal` returns the string. Call `reveal` immediately before
 * the string is used.
 */
export class Secret {
  /** A source is opened at each `reveal`, so the value is not kept in memory. */
  readonly #value: string | SecretSource;

  constructor(value: string | SecretSource) {
    this.#value = value;
  }

  /** Returns the secret value. @throws errors of the source */
  reveal(): string {
    return typeof this.#value === "string" ? this.#value : this.#value.open();
  }

  /** Returns the source that was passed to the constructor. Undefined for a plain value. */
  get source(): SecretSource | undefined {
    return typeof this.#value === "string" ? undefined : this.#value;
  }

  /** True if both values are equal. @throws errors of the sources */
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
