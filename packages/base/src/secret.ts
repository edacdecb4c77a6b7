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
  /** The source of a secret that is opened at its first `reveal`; most readers of a document never need it. */
  readonly #source: SecretSource | undefined;
  #value: string | undefined;

  constructor(value: string | SecretSource) {
    if (typeof value === "string") this.#value = value;
    else this.#source = value;
  }

  /** @throws what its source throws */
  reveal(): string {
    this.#value ??= this.#source?.open() ?? "";
    return this.#value;
  }

  /** As given to the constructor. */
  get source(): SecretSource | undefined {
    return this.#source;
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
