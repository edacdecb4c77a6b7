import { type Clock, type Logger, messageOf } from "@keelson/base";
import { type Collection, create, type Database, type Document, remove, replace } from "@keelson/database";
import { balance } from "./balance.ts";

/** Who has which bucket. Its ID is the kind of the workers, as is its partition. */
export interface BucketAllocation extends Document {
  /** The worker of each bucket, in the order of their numbers. */
  readonly buckets: readonly string[];
}

export interface BucketDatabase extends Pick<Database<never>, "commit"> {
  readonly collections: {
    /** Signs of life; its `ttlSeconds` is how long a worker that has died keeps its buckets. */
    readonly poolWorkers: Collection<Document>;
    readonly bucketAllocations: Collection<BucketAllocation>;
  };
}

export interface BucketPoolOptions {
  readonly database: BucketDatabase;
  /** What the workers do, for example `mimo-scheduler`: each kind shares out the buckets among itself. */
  readonly workerType: string;
  /** A UUID that no process had before. */
  readonly workerId: string;
  /** Between two signs of life; 10,000 when absent. Three quarters of the time to live at most. */
  readonly intervalMs?: number;
  /** Called at every change of what is owned here. */
  readonly onChange?: (buckets: ReadonlySet<number>) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Conflicts mean that another worker has shared out the buckets: then its result is read. */
const attempts = 3;
const nothing: ReadonlySet<number> = new Set();

/**
 * Shares out 256 buckets among the processes of one kind. Each gives signs of life; a worker that finds
 * the buckets not shared out evenly among the living ones does so: all compute the same result, and the first one writes it.
 * There is no master to wait for (Azure/ARO-RP has one). A dead worker's buckets move at the next tick of any other after
 * its last sign of life has expired.
 *
 * A worker that cannot say that it lives has lost its buckets no later than others may have got them.
 */
export class BucketPool implements AsyncDisposable {
  readonly #options: BucketPoolOptions;
  /** A worker that has not given a sign of life for this long has lost its buckets. */
  readonly #ttlMs: number;
  readonly #stop = new AbortController();
  #loop: Promise<void> = Promise.resolve();
  #owned = nothing;
  /** `monotonicMs` before the last sign of life was given. */
  #aliveMs: number | undefined;

  constructor(options: BucketPoolOptions) {
    this.#options = options;
    const { ttlSeconds } = options.database.collections.poolWorkers.definition;
    if (typeof ttlSeconds !== "number") throw new Error("poolWorkers needs a number as its ttlSeconds");
    this.#ttlMs = ttlSeconds * 1000;
  }

  /** Begins to say that this worker lives. */
  start(): this {
    this.#loop = this.#run();
    return this;
  }

  /** What this worker owns now. */
  get buckets(): ReadonlySet<number> {
    const alive = this.#aliveMs;
    const isAlive = alive !== undefined && this.#options.clock.monotonicMs() < alive + this.#ttlMs;
    return isAlive ? this.#owned : nothing;
  }

  /** One tick: gives a sign of life, reads those of the others, and takes this worker's share. */
  async refresh(signal: AbortSignal): Promise<void> {
    const askedAtMs = this.#options.clock.monotonicMs();
    // Lost by time alone: `onChange` is called when buckets come back.
    if (this.buckets.size === 0) this.#own(nothing);
    try {
      await this.#signOfLife(signal);
      const buckets = await this.#allocation(signal);
      this.#aliveMs = askedAtMs;
      this.#own(buckets);
    } catch (error) {
      this.#own(nothing);
      throw error;
    }
  }

  /** Leaves the pool: the others get the buckets at their next ticks. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#loop;
    this.#own(nothing);
    const { database, workerType, workerId, logger } = this.#options;
    const { poolWorkers } = database.collections;
    const signal = AbortSignal.timeout(5_000);
    try {
      const stored = await poolWorkers.find(workerType, workerId, signal);
      if (!stored) return;
      await database.commit(workerType, [remove(poolWorkers, stored)], { signal });
    } catch (error) {
      logger.warn({ error: messageOf(error) }, "the pool could not be left; its time runs out");
    }
  }

  async #run(): Promise<void> {
    const { clock, logger, intervalMs = 10_000 } = this.#options;
    const signal = this.#stop.signal;
    while (!signal.aborted) {
      try {
        await this.refresh(signal);
      } catch (error) {
        if (signal.aborted) return;
        logger.warn({ error: messageOf(error) }, "buckets are given up: the database did not answer");
      }
      await clock.sleep(Math.min(intervalMs, this.#ttlMs * 0.75), signal).catch(() => undefined);
    }
  }

  async #signOfLife(signal: AbortSignal): Promise<void> {
    const { database, workerType, workerId } = this.#options;
    const { poolWorkers } = database.collections;
    for (let attempt = 1; ; attempt++) {
      const stored = await poolWorkers.find(workerType, workerId, signal);
      const document = { ...stored?.document, id: workerId, partitionKey: workerType };
      const write = stored ? replace(poolWorkers, stored, document) : create(poolWorkers, document);
      const result = await database.commit(workerType, [write], { signal });
      if (result.kind === "committed") return;
      if (attempt === attempts) throw new Error(`the sign of life was not written: ${result.kind}`);
    }
  }

  async #allocation(signal: AbortSignal): Promise<ReadonlySet<number>> {
    const { database, workerType, workerId, logger } = this.#options;
    const { bucketAllocations } = database.collections;
    for (let attempt = 1; ; attempt++) {
      const stored = await bucketAllocations.find(workerType, workerType, signal);
      const workers = await this.#living(signal);
      const current = stored?.document.buckets ?? [];
      const buckets = balance(current, workers);
      if (buckets.join() === current.join()) return bucketsOf(workerId, buckets);
      const document = { ...stored?.document, id: workerType, partitionKey: workerType, buckets };
      const write = stored
        ? replace(bucketAllocations, stored, document)
        : create(bucketAllocations, document);
      const result = await database.commit(workerType, [write], { signal });
      if (result.kind === "committed") {
        logger.info({ workerType, workers: workers.length }, "shared out the buckets");
        return bucketsOf(workerId, buckets);
      }
      if (attempt === attempts) throw new Error(`the buckets were not shared out: ${result.kind}`);
    }
  }

  async #living(signal: AbortSignal): Promise<readonly string[]> {
    const { database, workerType } = this.#options;
    const query = { partitionKey: workerType, limit: 1_000 };
    const { items } = await database.collections.poolWorkers.list(query, signal);
    return items.map(({ document }) => document.id);
  }

  #own(buckets: ReadonlySet<number>): void {
    const before = [...this.#owned].join();
    this.#owned = buckets;
    if ([...buckets].join() !== before) this.#options.onChange?.(buckets);
  }
}

function bucketsOf(workerId: string, buckets: readonly string[]): ReadonlySet<number> {
  return new Set(buckets.flatMap((owner, bucket) => (owner === workerId ? [bucket] : [])));
}
