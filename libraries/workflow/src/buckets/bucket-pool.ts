import { type Clock, type Logger, messageOf, timeLimit, withTimeout } from "@keelson/base";
import { type Collection, create, type Database, type Document, remove, replace } from "@keelson/database";
import { balance } from "./balance.ts";
import { type Handover, handoversBetween, type PoolWorkerState, pendingHandovers } from "./handovers.ts";

/** Owners of all buckets. The document's ID and partition key are the worker type. */
export interface BucketAllocation extends Document {
  /** Worker ID of each bucket, by bucket number. */
  readonly buckets: readonly string[];
  /** Version of the distribution. It increases with each change. */
  readonly generation?: number;
  readonly handovers?: readonly Handover[];
}

/** Heartbeat of a worker. */
export interface PoolWorker extends Document, PoolWorkerState {
  /** Time in seconds after which the worker loses its buckets, unless it sends a further heartbeat. */
  readonly ttlSeconds?: number;
}

export interface BucketDatabase extends Pick<Database<never>, "commit"> {
  readonly collections: {
    /** Heartbeats. Documents expire after their `ttlSeconds`. */
    readonly poolWorkers: Collection<PoolWorker>;
    readonly bucketAllocations: Collection<BucketAllocation>;
  };
}

export interface BucketPoolOptions {
  readonly database: BucketDatabase;
  /** Type of the workers, for example `mimo-scheduler`. All workers of a type share the buckets. */
  readonly workerType: string;
  /** Unique ID of this process (UUID). It must never be reused. */
  readonly workerId: string;
  /** Time in ms for which a worker keeps its buckets without a heartbeat. Default: 60,000 ms. */
  readonly leaseMs?: number | undefined;
  /** Heartbeat interval in ms. At most three quarters of the lease. Default: 10,000 ms. */
  readonly intervalMs?: number | undefined;
  /** Called when the buckets of this worker change. */
  readonly onChange?: (buckets: ReadonlySet<number>) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Maximum number of attempts to write an allocation. After a conflict, the worker reads the allocation that a different worker
 * has written.
 */
const attempts = 3;
const nothing: ReadonlySet<number> = new Set();
/** Heartbeat interval, in ms, of a worker that waits for buckets. */
const waitingMs = 1_000;

/**
 * Distributes 256 buckets among the processes of one type. Each process sends heartbeats. A worker that finds an uneven
 * distribution among the live workers writes a new allocation. All workers compute the same allocation, and the first write wins.
 * There is no master, unlike in Azure/ARO-RP. If a worker has crashed and its last heartbeat has expired, the next tick of any
 * live worker moves the crashed worker's buckets.
 *
 * A worker that cannot send heartbeats keeps its buckets until its lease expires. A database failure that is shorter than a lease
 * therefore moves no buckets. A bucket that moves between live workers has no owner until the previous owner has read the
 * allocation. A bucket never has two owners.
 */
export class BucketPool implements AsyncDisposable {
  readonly #options: BucketPoolOptions;
  readonly #leaseMs: number;
  readonly #stop = new AbortController();
  #loop: Promise<void> = Promise.resolve();
  #owned = nothing;
  /** Generation of the newest allocation that this worker has applied. */
  #generation = 0;
  #waits = false;
  /** Value of `monotonicMs` before the last heartbeat was sent. */
  #aliveMs: number | undefined;

  constructor(options: BucketPoolOptions) {
    this.#options = options;
    this.#leaseMs = options.leaseMs ?? 60_000;
  }

  /** Starts to send heartbeats. */
  start(): this {
    this.#loop = this.#run();
    return this;
  }

  /** Buckets that this worker currently owns. */
  get buckets(): ReadonlySet<number> {
    const alive = this.#aliveMs;
    const isAlive = alive !== undefined && this.#options.clock.monotonicMs() < alive + this.#leaseMs;
    return isAlive ? this.#owned : nothing;
  }

  /** Runs one tick. It sends a heartbeat, reads the other workers' heartbeats, and updates this worker's buckets. */
  async refresh(signal: AbortSignal): Promise<void> {
    const askedAtMs = this.#options.clock.monotonicMs();
    // If the lease on the buckets has expired since the last tick, records that the worker owns no buckets. Without this record,
    // `onChange` would not be called when the worker owns the same buckets again.
    if (this.buckets.size === 0) this.#own(nothing);
    const limited = withTimeout(signal, this.#leaseMs / 2);
    await this.#signOfLife(limited);
    const { buckets, generation, waits } = await this.#share(limited);
    this.#aliveMs = askedAtMs;
    this.#waits = waits;
    this.#own(buckets);
    if (generation <= this.#generation) return;
    this.#generation = generation;
    // Sends a second heartbeat immediately. The new owners of this worker's former buckets then need not wait for its next tick.
    await this.#signOfLife(limited);
  }

  /** Leaves the pool. Other workers acquire its buckets at their next tick. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#loop;
    this.#own(nothing);
    const { database, workerType, workerId, logger } = this.#options;
    const { poolWorkers } = database.collections;
    const signal = timeLimit(5_000);
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
        const { size } = this.buckets;
        logger.warn(
          { error: messageOf(error), buckets: size },
          "the heartbeat failed: no response from the database",
        );
      }
      const waitMs = Math.min(
        intervalMs,
        this.#leaseMs * 0.75,
        this.#waits ? waitingMs : Number.POSITIVE_INFINITY,
      );
      await clock.sleep(waitMs, signal).catch(() => undefined);
    }
  }

  async #signOfLife(signal: AbortSignal): Promise<void> {
    const { database, workerType, workerId } = this.#options;
    const { poolWorkers } = database.collections;
    for (let attempt = 1; ; attempt++) {
      const stored = await poolWorkers.find(workerType, workerId, signal);
      const document = {
        ...stored?.document,
        id: workerId,
        partitionKey: workerType,
        ttlSeconds: this.#leaseMs / 1_000,
        generation: this.#generation,
      };
      const write = stored ? replace(poolWorkers, stored, document) : create(poolWorkers, document);
      const result = await database.commit(workerType, [write], { signal });
      if (result.kind === "committed") return;
      if (attempt === attempts) throw new Error(`the heartbeat was not written: ${result.kind}`);
    }
  }

  async #share(signal: AbortSignal): Promise<Share> {
    const { database, workerType, workerId, logger } = this.#options;
    const { bucketAllocations } = database.collections;
    for (let attempt = 1; ; attempt++) {
      const stored = await bucketAllocations.find(workerType, workerType, signal);
      const workers = await this.#living(signal);
      const { buckets: current = [], generation: before = 0, handovers = [] } = stored?.document ?? {};
      const buckets = balance(
        current,
        workers.map(({ id }) => id),
      );
      const pending = pendingHandovers(handovers, workers);
      if (buckets.join() === current.join()) return shareOf(workerId, buckets, before, pending);
      const generation = before + 1;
      const begun = [
        ...pending,
        ...pendingHandovers(handoversBetween(current, buckets, generation), workers),
      ];
      const moved = { buckets, generation, handovers: begun };
      const document = { ...stored?.document, id: workerType, partitionKey: workerType, ...moved };
      const write = stored
        ? replace(bucketAllocations, stored, document)
        : create(bucketAllocations, document);
      const result = await database.commit(workerType, [write], { signal });
      if (result.kind === "committed") {
        logger.info({ workerType, workers: workers.length }, "shared out the buckets");
        return shareOf(workerId, buckets, generation, begun);
      }
      if (attempt === attempts) throw new Error(`the buckets were not shared out: ${result.kind}`);
    }
  }

  async #living(signal: AbortSignal): Promise<readonly PoolWorker[]> {
    const { database, workerType } = this.#options;
    const query = { partitionKey: workerType, limit: 1_000 };
    const { items } = await database.collections.poolWorkers.list(query, signal);
    return items.map(({ document }) => document);
  }

  #own(buckets: ReadonlySet<number>): void {
    const before = [...this.#owned].join();
    this.#owned = buckets;
    if ([...buckets].join() !== before) this.#options.onChange?.(buckets);
  }
}

interface Share {
  readonly buckets: ReadonlySet<number>;
  readonly generation: number;
  /** True while other workers may still use buckets that are now assigned to this worker. */
  readonly waits: boolean;
}

function shareOf(
  workerId: string,
  owners: readonly string[],
  generation: number,
  pending: readonly Handover[],
): Share {
  const others = new Set(pending.filter(({ from }) => from !== workerId).map(({ bucket }) => bucket));
  const mine = owners.flatMap((owner, bucket) => (owner === workerId ? [bucket] : []));
  const buckets = new Set(mine.filter((bucket) => !others.has(bucket)));
  return { buckets, generation, waits: buckets.size < mine.length };
}
