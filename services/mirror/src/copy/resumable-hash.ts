import { createSHA256, createSHA512, type IHasher } from "hash-wasm";

/** Digest computation that a different process can resume from a saved state. The hash objects of Node.js cannot be resumed. */
export class ResumableHash {
  readonly #algorithm: string;
  readonly #hasher: IHasher;

  private constructor(algorithm: string, hasher: IHasher) {
    this.#algorithm = algorithm;
    this.#hasher = hasher;
  }

  static async start(digest: string): Promise<ResumableHash> {
    const [algorithm = ""] = digest.split(":");
    const hasher = await (algorithm === "sha512" ? createSHA512() : createSHA256());
    return new ResumableHash(algorithm, hasher.init());
  }

  /** Restores a saved state. Returns undefined if a different release saved it. */
  static async resume(digest: string, state: string): Promise<ResumableHash | undefined> {
    const hash = await ResumableHash.start(digest);
    try {
      hash.#hasher.load(Buffer.from(state, "base64"));
      return hash;
    } catch {
      return undefined;
    }
  }

  update(content: Uint8Array): void {
    this.#hasher.update(content);
  }

  save(): string {
    return Buffer.from(this.#hasher.save()).toString("base64");
  }

  digest(): string {
    return `${this.#algorithm}:${this.#hasher.digest("hex")}`;
  }
}
