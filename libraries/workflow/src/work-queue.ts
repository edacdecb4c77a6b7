import { type Clock, type Logger, messageOf } from "@keelson/base";
import type { Document, Leased, LeasedCollection, QueueLength } from "@keelson/database";
import { HeldLease } from "./held-lease.ts";
import { SurvivedLosses } from "./survived-losses.ts";

/** Signals that stop work early. */
export interface WorkSignals {
  /** Aborts when the work must be abandoned. */
  readonly signal: AbortSignal;
  /** Aborts when no further step may start. */
  readonly draining: AbortSignal;
}

export interface WorkQueueOptions<T extends Document> {
  readonly collection: LeasedCollection<T>;
  /** Processes one document. Releases the document's lease, unless the lease was lost or a commit released it. */
  readonly work: (leased: Leased<T>, held: HeldLease<T>, signals: WorkSignals) => Promise<void>;
  /** Gauge of busy workers. */
  readonly busy?: { inc(): void; dec(): void };
  /** Maximum number of leased documents per partition, in all processes together. Default: unlimited. */
  readonly maxRunning?: number;
  /** Called at every poll with the age of the oldest queued document in seconds. */
  readonly onOldest?: (seconds: number) => void;
  /** Called when a worker loses its lease. */
  readonly onLost?: () => void;
  /** Called at every poll with the number of documents without a worker. */
  readonly onLength?: (length: QueueLength) => void;
}

/** Queue of documents and the function that processes them. Create it with `workQueue`. */
export interface WorkQueue {
  readonly collection: string;
  take(terms: TakingTerms): Promise<readonly Taken[]>;
  measure(signal: AbortSignal): Promise<void>;
}

export interface TakingTerms {
  readonly owner: string;
  readonly limit: number;
  readonly leaseMs: number;
  readonly heartbeatMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** See `HeldLeaseOptions`. */
  readonly cpuMs?: () => number;
  /** Aborts the acquisition of documents, but not the work on acquired documents. */
  readonly signal: AbortSignal;
}

export interface Taken {
  readonly id: string;
  readonly generation: number;
  run(signals: WorkSignals): Promise<void>;
}

export function workQueue<T extends Document>(options: WorkQueueOptions<T>): WorkQueue {
  const { collection, work, busy, maxRunning, onOldest, onLength } = options;
  const losses = new SurvivedLosses();
  return {
    collection: collection.definition.name,
    async take({ owner, limit, leaseMs, signal, ...terms }) {
      const askedAtMs = terms.clock.monotonicMs();
      const most = maxRunning === undefined ? {} : { maxRunning };
      const all = await collection.acquire({ owner, ttlMs: leaseMs, limit, ...most, signal });
      return all.map((leased) => {
        const { lease, attempt } = leased;
        const onLost = (isOwnFault: boolean) => {
          if (!isOwnFault) losses.add(lease, attempt);
          options.onLost?.();
        };
        // At the first attempt, removes the losses of an earlier operation. They may still be stored if the document left the
        // queue in a different process.
        if (attempt === 1) losses.forget(lease);
        const survivedLosses = losses.attemptsBefore(lease, attempt);
        const held = new HeldLease({
          ...terms,
          ...{ leaseMs, collection, leased, askedAtMs, onLost, survivedLosses },
        }).start();
        return {
          id: lease.id,
          generation: lease.generation,
          async run(signals) {
            busy?.inc();
            try {
              await work(leased, held, signals);
            } catch (error) {
              terms.logger.error({ error: messageOf(error) }, "worker failed");
            } finally {
              await held[Symbol.asyncDispose]();
              if (!held.signal.aborted) losses.forget(lease);
              busy?.dec();
            }
          },
        };
      });
    },
    async measure(signal) {
      if (onLength) onLength(await collection.queueLength(signal));
      const oldest = onOldest && (await collection.oldestQueuedSeconds(signal));
      if (oldest !== undefined) onOldest?.(oldest);
    },
  };
}
