import { createHash } from "node:crypto";
import { exactJson } from "@keelson/base";

/**
 * Documents by what they are made of, so that many clusters with the same definitions share one. Keeps the
 * `most` documents used last.
 */
export class DocumentCache<Document> {
  readonly #most: number;
  readonly #documents = new Map<string, Document>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string, build: () => Document): Document {
    const document = this.#documents.get(key) ?? build();
    this.#documents.delete(key);
    this.#documents.set(key, document);
    const oldest = this.#documents.keys().next();
    if (this.#documents.size > this.#most && !oldest.done) this.#documents.delete(oldest.value);
    return document;
  }
}

const known = new WeakMap<object, string>();

/** A hash of what objects or lists of objects say, computed once for each of them: callers must not change them. */
export function contentKey(...parts: readonly object[]): string {
  const hash = createHash("sha256");
  for (const part of parts) {
    let key = known.get(part);
    if (!key) {
      key = Array.isArray(part) ? contentKey(...part) : sha256(exactJson(part));
      known.set(part, key);
    }
    hash.update(key);
  }
  return hash.digest("hex");
}

export function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
