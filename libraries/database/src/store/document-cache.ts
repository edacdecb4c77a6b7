import { type Clock, systemClock } from "@keelson/base";
import { LRUCache } from "lru-cache";
import type { Document, Stored } from "../documents/collection.ts";
import type { DocumentKey } from "../encryption/document-codec.ts";

/** Document with a string that identifies its version. The string is unique even if a failover undoes commits. */
export interface Versioned<T extends Document> {
  readonly key: DocumentKey;
  readonly version: string;
  readonly stored: Stored<T>;
}

/**
 * SQL expression for a row's version. The version contains the time in addition to the etag, because a failover may reset the
 * sequence of the etags.
 */
export const versionColumn = "etag || '@' || updated_at";

/** Estimated memory in bytes per byte of a document's JSON. */
const memoryPerByte = 4;
const maxMemory = 64 * 2 ** 20;
const maxQuestions = 20_000;
/**
 * Time in ms without a read after which an entry is removed. Operations of deleted clusters, for example, are never read again.
 */
const maxIdleMs = 10 * 60_000;
const purgeEveryMs = 60_000;

/**
 * Cache of recently read documents, parsed and frozen. Before a cached document is used, the database confirms that its version
 * is current. This saves the transfer and parsing of unchanged documents. The cache is limited by total size. A limit by count
 * would allocate memory in advance for every collection.
 */
export class DocumentCache<T extends Document> {
  readonly #clock: Clock;
  #purgedMs: number;
  #documents: LRUCache<string, Versioned<T>> | undefined;
  /** Keys of the documents in recent results, by query. They predict the next result of the same query. */
  #found: LRUCache<string, readonly string[]> | undefined;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
    this.#purgedMs = clock.monotonicMs();
  }

  /** Returns the cached documents that the result of the query `question` may contain. */
  guess(question: string): readonly Versioned<T>[] {
    this.#purge();
    const names = this.#found?.get(question);
    if (!names) return [];
    const guess: Versioned<T>[] = [];
    for (const name of names) {
      const known = this.#documents?.get(name);
      if (known) guess.push(known);
    }
    return guess;
  }

  /** Records the result of the query `question`. */
  found(question: string, documents: readonly DocumentKey[]): void {
    this.#found ??= new LRUCache({ ...this.#idleLimit(), maxSize: maxQuestions, sizeCalculation: () => 1 });
    this.#found.set(question, documents.map(nameOf));
  }

  /** Adds a document with a JSON size of `bytes`. */
  keep(document: Versioned<T>, bytes: number): void {
    this.#documents ??= new LRUCache({ ...this.#idleLimit(), maxSize: maxMemory });
    this.#documents.set(nameOf(document.key), freeze(document), { size: bytes * memoryPerByte });
  }

  #idleLimit() {
    const perf = { now: () => this.#clock.monotonicMs() };
    return { ttl: maxIdleMs, ttlResolution: 0, updateAgeOnGet: true, perf };
  }

  /**
   * Removes expired entries that are no longer read. The underlying LRU caches remove an expired entry only when it is read.
   */
  #purge(): void {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#purgedMs < purgeEveryMs) return;
    this.#purgedMs = nowMs;
    this.#documents?.purgeStale();
    this.#found?.purgeStale();
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
