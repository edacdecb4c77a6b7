import { createHash } from "node:crypto";
import { type Phases, writeJson } from "@keelson/apimachinery";

/**
 * Cache of documents by content key, shared by clusters with equal definitions. It contains at most `most` documents and drops
 * the least recently used document.
 */
export class DocumentCache<Document> {
  readonly #most: number;
  readonly #documents = new Map<string, Document>();
  readonly #building = new Set<string>();

  constructor(most: number) {
    this.#most = most;
  }

  *get(key: string, build: () => Phases<Document>): Phases<Document> {
    // Waits while a concurrent request builds the document.
    while (this.#building.has(key)) yield;
    return this.#keep(key, this.#documents.get(key) ?? (yield* this.#build(key, build)));
  }

  /**
   * Returns the cached document or builds it without yielding. Use this function only for documents that can be built quickly.
   */
  getAtOnce(key: string, build: () => Document): Document {
    return this.#keep(key, this.#documents.get(key) ?? build());
  }

  #keep(key: string, document: Document): Document {
    this.#documents.delete(key);
    this.#documents.set(key, document);
    const oldest = this.#documents.keys().next();
    if (this.#documents.size > this.#most && !oldest.done) this.#documents.delete(oldest.value);
    return document;
  }

  *#build(key: string, build: () => Phases<Document>): Phases<Document> {
    this.#building.add(key);
    try {
      return yield* build();
    } finally {
      this.#building.delete(key);
    }
  }
}

const known = new WeakMap<object, string>();

/**
 * Returns a hash of the JSON of objects or lists. The hash is cached for each object. Callers must not change the objects
 * afterwards.
 */
export function* contentKey(...parts: readonly object[]): Phases<string> {
  const hash = createHash("sha256");
  for (const part of parts) {
    let key = known.get(part);
    if (!key) {
      key = Array.isArray(part) ? yield* contentKey(...part) : sha256(yield* writeJson(part));
      known.set(part, key);
    }
    hash.update(key);
  }
  return hash.digest("hex");
}

function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
