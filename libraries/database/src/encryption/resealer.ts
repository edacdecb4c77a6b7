import { type Clock, isCoded, type Logger, messageOf } from "@keelson/base";
import type { Collection, Document, Stored } from "../documents/collection.ts";
import { create, type Database, type Definitions, replace } from "../documents/database.ts";
import type { Lease, LeasedCollection } from "../documents/lease.ts";
import type { Keyring } from "./keyring.ts";

/** State of the re-encryption job, shared by all processes. It records that all documents are encrypted with the key `keyId`. */
export interface ResealDocument extends Document {
  readonly keyId?: string;
  readonly finishedAt?: string;
}

export interface ResealerOptions {
  /** Database that contains the documents. Collections with expiring documents are skipped. */
  readonly database: Pick<Database<Definitions>, "commit" | "collections">;
  /** Collection that contains the job's document. The document's lease ensures that only one process runs the job. */
  readonly jobs: LeasedCollection<ResealDocument>;
  readonly keyring: Keyring;
  readonly owner: string;
  /** Interval of checks for documents with older keys. */
  readonly everyMs: number;
  /** Called with the number of documents in a collection that are encrypted with older keys. */
  readonly outdated: (collection: string, count: number) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Result of one run over the documents. */
export interface ResealResult {
  readonly resealed: number;
  /**
   * Number of documents that were skipped because they were leased or written during the run. The write of the other process
   * re-encrypts them.
   */
  readonly passedOver: number;
  /** Number of documents that were not changed, because a secret cannot be decrypted. */
  readonly failed: number;
}

const job = { id: "reseal", partitionKey: "jobs" };
const leaseMs = 60_000;
const documentLeaseMs = 15_000;
const batch = 50;
/**
 * Interval in ms of repeated checks. Older releases and restored backups may add documents with older keys after the job is
 * complete.
 */
const recheckMs = 3_600_000;

/**
 * Re-encrypts documents with the current key in small batches. To not disturb other work, writes are conditional on the document
 * version and use leases. After an interruption, the job continues with the remaining documents.
 */
export class Resealer implements AsyncDisposable {
  readonly #options: ResealerOptions;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: ResealerOptions) {
    this.#options = options;
  }

  start(): this {
    this.#running ??= this.#run();
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error("stopping"));
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, everyMs, logger } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      let pauseMs = everyMs;
      try {
        const result = await this.runOnce(signal);
        // Retries later than usual, because an early retry would fail again and only fill the log.
        if (result && result.failed > 0) pauseMs *= 10;
      } catch (error) {
        if (!signal.aborted)
          logger.warn({ reason: messageOf(error) }, "re-encryption was interrupted and will continue");
      }
      await clock.sleep(pauseMs, signal).catch(() => undefined);
    }
  }

  /** Runs the job. Returns `undefined` if there is nothing to do or a different process runs it. */
  async runOnce(signal: AbortSignal): Promise<ResealResult | undefined> {
    const { database, jobs, keyring, owner, clock, logger } = this.#options;
    const keyId = keyring.currentKeyId();
    const known = await jobs.find(job.partitionKey, job.id, signal);
    if (known && this.#isDone(known.document, keyId)) return undefined;
    if (!known) await database.commit(job.partitionKey, [create(jobs, job)], { signal });
    const leased = await jobs.acquireIdleById({ ...job, owner, ttlMs: leaseMs, signal });
    if (!leased) return undefined;
    const held = { lease: leased.lease };
    try {
      const result = await this.#pass(held, signal);
      const left = await this.#count(signal);
      logger.info({ keyId, ...result, left }, "documents are sealed under the current key");
      const done = result.failed === 0 && result.passedOver === 0 && keyring.currentKeyId() === keyId;
      if (done) {
        const document = { ...leased.document, keyId, finishedAt: clock.now().toISOString() };
        const options = { lease: held.lease, release: true, signal };
        await database.commit(job.partitionKey, [replace(jobs, leased, document)], options);
      }
      return result;
    } finally {
      await jobs.release(held.lease, { backoffMs: 0, signal }).catch(() => undefined);
    }
  }

  #isDone({ keyId, finishedAt }: ResealDocument, current: string): boolean {
    if (keyId !== current || finishedAt === undefined) return false;
    return this.#options.clock.now().getTime() - Date.parse(finishedAt) < recheckMs;
  }

  async #pass(held: { lease: Lease }, signal: AbortSignal): Promise<ResealResult> {
    const counts = { resealed: 0, passedOver: 0, failed: 0 };
    for (const collection of this.#sealed()) {
      if (collection.definition.ttlSeconds !== undefined) continue;
      let continuation: string | undefined;
      do {
        const page = await collection.listOutdated({ limit: batch, continuation }, signal);
        for (const stored of page.items) counts[await this.#reseal(collection, stored, signal)]++;
        continuation = page.continuation;
        const renewed = await this.#options.jobs.renew(held.lease, leaseMs, signal);
        if (renewed.kind === "lost") throw new Error("a different process has taken over");
        held.lease = renewed.lease;
      } while (continuation !== undefined);
    }
    return counts;
  }

  async #reseal(
    collection: Collection<Document>,
    stored: Stored<Document>,
    signal: AbortSignal,
  ): Promise<keyof ResealResult> {
    const { database, logger } = this.#options;
    const { id, partitionKey } = stored.document;
    try {
      if (isLeased(collection)) return await this.#resealLeased(collection, stored, signal);
      const write = replace(collection, stored, stored.document);
      const { kind } = await database.commit(partitionKey, [write], { signal });
      return kind === "committed" ? "resealed" : "passedOver";
    } catch (error) {
      if (!isCoded(error, "EncryptionKeyMissing") && !isCoded(error, "SecretTampered")) throw error;
      const { name } = collection.definition;
      logger.error(
        { collection: name, partitionKey, documentId: id, code: error.code, reason: error.message },
        "document skipped: its secrets cannot be decrypted",
      );
      return "failed";
    }
  }

  /**
   * Re-encrypts a document of a leased collection under a lease. Skips documents that a worker has leased, because the worker's
   * next write re-encrypts them.
   */
  async #resealLeased(
    collection: LeasedCollection<Document>,
    { document: { id, partitionKey } }: Stored<Document>,
    signal: AbortSignal,
  ): Promise<"resealed" | "passedOver"> {
    const { database, owner } = this.#options;
    const leased = await collection.acquireIdleById({
      partitionKey,
      id,
      owner,
      ttlMs: documentLeaseMs,
      signal,
    });
    if (!leased) return "passedOver";
    const write = replace(collection, leased, leased.document);
    const result = await database.commit(partitionKey, [write], {
      lease: leased.lease,
      release: true,
      signal,
    });
    if (result.kind === "committed") return "resealed";
    await collection.release(leased.lease, { backoffMs: 0, signal });
    return "passedOver";
  }

  async #count(signal: AbortSignal): Promise<Readonly<Record<string, number>>> {
    const counts: Record<string, number> = {};
    for (const collection of this.#sealed()) {
      const { name } = collection.definition;
      counts[name] = await collection.countOutdated(signal);
      this.#options.outdated(name, counts[name]);
    }
    return counts;
  }

  #sealed(): readonly Collection<Document>[] {
    return Object.values(this.#options.database.collections).filter(
      ({ definition }) => definition.secretPaths.length > 0,
    );
  }
}

function isLeased(collection: Collection<Document>): collection is LeasedCollection<Document> {
  return "acquireIdleById" in collection;
}
