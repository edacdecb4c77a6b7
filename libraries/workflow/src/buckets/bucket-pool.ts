import { type Clock, type Logger, messageOf, timeLimit, withTimeout } from "@keelson/base";
import { type Collection, create, type Database, type Document, remove, replace } from "@keelson/database";
import { balance } from "./balance.ts";
import { type Handover, handoversBetween, type PoolWorkerState, pendingHandovers } from "./handovers.ts";

/** Who has which bucket. Its ID is the kind of the workers, as is its partition. */
export interface BucketAllocation extends Document {
  /** The worker of each bucket, in the order of their numbers. */
  readonly buckets: readonly string[];
  /** Rises with each sharing out. */
  readonly generation?: number;
  readonly handovers?: readonly Handover[];
}

/** A sign of life. */
export interface PoolWorker extends Document, PoolWorkerState {
  /** How long the worker keeps its buckets without a further one. */
  readonly ttlSeconds?: number;
}

export interface BucketDatabase extends Pick<Database<never>, "commit"> {
  readonly collections: {
    /** Documents vanish after their `ttlSeconds`. */
    readonly poolWorkers: Collection<PoolWorker>;
    readonly bucketAllocations: Collection<BucketAllocation>;
  };
}

export interface BucketPoolOptions {
  readonly database: BucketDatabase;
  /** What the workers do, for example `mimo-scheduler`: each kind shares out the buckets among itself. */
  readonly workerType: string;
  /** A UUID that no process had before. */
  readonly workerId: string;
  /** How long a worker keeps its buckets without a sign of life; 60,000 when absent. */
  readonly leaseMs?: number | undefined;
  /** Between two signs of life; 10,000 when absent. Three quarters of the lease at most. */
  readonly intervalMs?: number | undefined;
  /** Called at every change of what is owned here. */
  readonly onChange?: (buckets: ReadonlySet<number>) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Conflicts mean that another worker has shared out the buckets: then its result is read. */
const attempts = 3;
const nothing: ReadonlySet<number> = new Set();
/** Between two ticks of a worker that waits for buckets. */
const waitingMs = 1_000;

/**
 * Shares out 256 buckets among the processes of one kind. Each gives signs of life; a worker that finds
 * the buckets not shared out evenly among the living ones does so: all compute the same result, and the first one writes it.
 * There is no master to wait for (Azure/ARO-RP has one). A dead worker's buckets move at the next tick of any other after
 * its last sign of life has expired.
 *
 * A worker that cannot say that it lives keeps its buckets until others may have got them, and no longer: a database that
 * fails for less than a lease moves nothing. A bucket that moves between living workers is owned by none until the one that
 * had it has read so. No bucket is ever owned by two.
 */
export class BucketPool implements AsyncDisposable {
  readonly #options: BucketPoolOptions;
  readonly #leaseMs: number;
  readonly #stop = new AbortController();
  #loop: Promise<void> = Promise.resolve();
  #owned = nothing;
  /** Of the newest allocation that this worker has followed. */
  #generation = 0;
  #waits = false;
  /** `monotonicMs` before the last sign of life was given. */
  #aliveMs: number | undefined;

  constructor(options: BucketPoolOptions) {
    this.#options = options;
    this.#leaseMs = options.leaseMs ?? 60_000;
  }

  /** Begins to say that this worker lives. */
  start(): this {
    this.#loop = this.#run();
    return this;
  }

  /** What this worker owns now. */
  get buckets(): ReadonlySet<number> {
    const alive = this.#aliveMs;
    const isAlive = alive !== undefined && this.#options.clock.monotonicMs() < alive + this.#leaseMs;
    return isAlive ? this.#owned : nothing;
  }

  /** One tick: gives a sign of life, reads those of the others, and takes this worker's share. */
  async refresh(signal: AbortSignal): Promise<void> {
    const askedAtMs = this.#options.clock.monotonicMs();
    // Lost by time alone: `onChange` is called when buckets come back.
    if (this.buckets.size === 0) this.#own(nothing);
    const limited = withTimeout(signal, this.#leaseMs / 2);
    await this.#signOfLife(limited);
    const { buckets, generation, waits } = await this.#share(limited);
    this.#aliveMs = askedAtMs;
    this.#waits = waits;
    this.#own(buckets);
    if (generation <= this.#generation) return;
    this.#generation = generation;
    // Those that wait for buckets of this worker need not wait for its next tick.
    await this.#signOfLife(limited);
  }

  /** Leaves the pool: the others get the buckets at their next ticks. */
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
          "no sign of life: the database did not answer",
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
      if (attempt === attempts) throw new Error(`the sign of life was not written: ${result.kind}`);
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
  /** True while others still have buckets of this worker. */
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
