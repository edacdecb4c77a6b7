import { createHash } from "node:crypto";

/** Documents derived from the resources, made when first asked for and again when the resources change. */
export class DerivedDocuments {
  readonly #revision: () => number;
  #documents = new Map<string, { readonly body: Buffer; readonly etag: string }>();
  #madeAt = -1;

  constructor(revision: () => number) {
    this.#revision = revision;
  }

  /** `etag` is the quoted SHA-512 of the body in capital hexadecimal digits, as kube-apiserver has it. */
  get(name: string, make: () => Buffer): { readonly body: Buffer; readonly etag: string } {
    if (this.#madeAt !== this.#revision()) {
      this.#documents = new Map();
      this.#madeAt = this.#revision();
    }
    const known = this.#documents.get(name);
    if (known) return known;
    const body = make();
    const etag = `"${createHash("sha512").update(body).digest("hex").toUpperCase()}"`;
    const made = { body, etag };
    this.#documents.set(name, made);
    return made;
  }
}
