import { LRUCache } from "lru-cache";
import type { Document, Stored } from "./collection.ts";
import type { DocumentKey } from "./document-codec.ts";

/** A document with what tells its version from every other one, also from those of a history that a failover undid. */
export interface Versioned<T extends Document> {
  readonly key: DocumentKey;
  readonly version: string;
  readonly stored: Stored<T>;
}

/** The SQL of a row's version. A sequence may go back with a failover, a clock does so with it only by chance. */
export const versionColumn = "etag || '@' || updated_at";

/** What a decoded document takes for each byte of its text, about. */
const memoryPerByte = 4;
const maxMemory = 64 * 2 ** 20;
const maxQuestions = 20_000;

/**
 * Documents that were read lately, decoded. Nothing is answered from here before the database has said that its
 * version still is the same: what is saved is to send, to parse and to render it again. Whoever reads a version
 * twice gets the same object, which is frozen. Sizes are bounded and not counts, for which room would be made in advance,
 * of every collection.
 */
export class DocumentCache<T extends Document> {
  #documents: LRUCache<string, Versioned<T>> | undefined;
  /** What was found lately, by the question. Only a guess at what will be found next. */
  #found: LRUCache<string, readonly string[]> | undefined;

  /** What the answer to `question` may consist of, by its versions. */
  guess(question: string): ReadonlyMap<string, Stored<T>> {
    const guess = new Map<string, Stored<T>>();
    for (const name of this.#found?.get(question) ?? []) {
      const known = this.#documents?.get(name);
      if (known) guess.set(known.version, known.stored);
    }
    return guess;
  }

  /** Notes what `question` found. */
  found(question: string, documents: readonly DocumentKey[]): void {
    this.#found ??= new LRUCache({ maxSize: maxQuestions, sizeCalculation: () => 1 });
    this.#found.set(question, documents.map(nameOf));
  }

  /** Keeps a document, of whose text `bytes` is the length. */
  keep(document: Versioned<T>, bytes: number): void {
    this.#documents ??= new LRUCache({ maxSize: maxMemory });
    this.#documents.set(nameOf(document.key), freeze(document), { size: bytes * memoryPerByte });
  }
}

function nameOf({ partitionKey, id }: DocumentKey): string {
  return `${partitionKey}\0${id}`;
}

function freeze<V>(value: V): V {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
}
