import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { aborted, type Clock, type Logger, messageOf, withTimeout } from "@keelson/base";
import type { Change } from "@keelson/database";
import type { Taken, WorkQueue } from "./work-queue.ts";

export interface QueueWorkersOptions {
  /** Queues in the order in which idle workers poll them. */
  readonly queues: readonly WorkQueue[];
  readonly changes: (signal: AbortSignal) => AsyncIterable<Change>;
  /** Maximum number of documents that are processed concurrently. */
  readonly workers: number;
  /** Lease duration in ms. If a worker crashes, other workers can acquire its document after this time. */
  readonly leaseMs: number;
  /** Interval of lease renewals, in ms. */
  readonly heartbeatMs: number;
  /** Time limit, in ms, for active work after draining has started. */
  readonly drainMs: number;
  /** Name of this process in leases. */
  readonly owner: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Returns the name of this process in leases: host, process ID, and a random part. */
export function processOwner(): string {
  return `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
}

/**
 * Maximum poll interval in ms. Polls are required even without change notifications, because leases and backoffs expire without a
 * change.
 */
const longestPollMs = 5_000;
/** Delay in ms that combines a burst of changes into one poll. */
const burstMs = 20;
const backoffAfterErrorMs = 1_000;

/** Workers that acquire and process queued documents. Each document has a separate lease. */
export class QueueWorkers {
  readonly #options: QueueWorkersOptions;
  readonly #draining = new AbortController();
  readonly #abandoned = new AbortController();
  /** Running tasks by lease generation. A released document can be acquired again before its previous task has ended. */
  readonly #busy = new Map<number, { readonly id: string; readonly task: Promise<void> }>();
  #loops: readonly Promise<void>[] = [];
  #resume: () => void = () => undefined;
  #woken = true;
  #lastAcquiredMs: number | undefined;

  constructor(options: QueueWorkersOptions) {
    this.#options = options;
  }

  start(): this {
    this.#loops = [this.#dispatch(), this.#listen(), this.#tick()];
    return this;
  }

  /**
   * Time (`monotonicMs`) of the last successful attempt to acquire documents. An attempt at which all workers are busy also
   * counts. Initially `undefined`.
   */
  get lastAcquiredMs(): number | undefined {
    return this.#lastAcquiredMs;
  }

  /**
   * Stops acquiring documents and waits for active work. Remaining work is abandoned after the time limit, or when `signal`
   * aborts.
   */
  async drain(signal: AbortSignal): Promise<void> {
    const { clock, drainMs, logger } = this.#options;
    this.#draining.abort("draining");
    this.#wake();
    await Promise.all(this.#loops);
    const work = Promise.all([...this.#busy.values()].map(({ task }) => task));
    const ended = new AbortController();
    const limit = AbortSignal.any([signal, ended.signal]);
    const timeUp = Promise.race([clock.sleep(drainMs, limit).catch(() => undefined), aborted(limit)]);
    await Promise.race([work, timeUp]);
    if (this.#busy.size > 0) {
      logger.warn({ workers: this.#busy.size }, "abandoning running steps");
      this.#abandoned.abort("abandoned");
    }
    await work;
    ended.abort();
    await timeUp;
  }

  async #dispatch(): Promise<void> {
    const { clock, logger } = this.#options;
    const draining = this.#draining.signal;
    while (!draining.aborted) {
      this.#woken = false;
      try {
        if ((await this.#acquire()) > 0) continue;
      } catch (error) {
        if (draining.aborted) return;
        logger.warn({ error: messageOf(error) }, "queue could not be read");
        await clock.sleep(backoffAfterErrorMs, draining).catch(() => undefined);
      }
      await this.#untilWoken();
      await clock.sleep(burstMs, draining).catch(() => undefined);
    }
  }

  /** Acquires as many documents as there are idle workers. Returns the number of acquired documents. */
  async #acquire(): Promise<number> {
    const { clock, leaseMs, workers, queues } = this.#options;
    let taken = 0;
    for (const queue of queues) {
      const limit = workers - this.#busy.size;
      if (limit <= 0) break;
      const all = await queue.take({ ...this.#options, limit, signal: this.#limit(leaseMs) });
      for (const each of all) this.#launch(each);
      taken += all.length;
    }
    this.#lastAcquiredMs = clock.monotonicMs();
    return taken;
  }

  #launch({ id, generation, run }: Taken): void {
    const signals = { signal: this.#abandoned.signal, draining: this.#draining.signal };
    const task = run(signals).finally(() => {
      this.#busy.delete(generation);
      this.#wake();
    });
    this.#busy.set(generation, { id, task });
  }

  /**
   * Returns a signal with a time limit. Draining does not abort this signal, because a cancelled acquisition might leave leases
   * without a worker.
   */
  #limit(ms: number): AbortSignal {
    return withTimeout(this.#abandoned.signal, ms);
  }

  /** Wakes the dispatcher when a document changes, unless this process holds the document's lease. */
  async #listen(): Promise<void> {
    const { changes, queues, logger } = this.#options;
    const names = new Set(queues.map(({ collection }) => collection));
    try {
      for await (const change of changes(this.#draining.signal)) {
        if (change.kind === "resync" || (names.has(change.collection) && !this.#holds(change.id)))
          this.#wake();
      }
    } catch (error) {
      if (!this.#draining.signal.aborted)
        logger.error({ error: messageOf(error) }, "change notifications stopped");
    }
  }

  #holds(documentId: string): boolean {
    return [...this.#busy.values()].some(({ id }) => id === documentId);
  }

  /** Polls at long intervals. This also finds expired leases and backoffs, which cause no change notification. */
  async #tick(): Promise<void> {
    const { clock, leaseMs, queues } = this.#options;
    const draining = this.#draining.signal;
    while (!draining.aborted) {
      await clock.sleep(Math.min(longestPollMs, leaseMs / 2), draining).catch(() => undefined);
      this.#wake();
      if (draining.aborted) return;
      for (const queue of queues) await queue.measure(draining).catch(() => undefined);
    }
  }

  #wake(): void {
    this.#woken = true;
    this.#resume();
  }

  async #untilWoken(): Promise<void> {
    if (this.#woken) return;
    await new Promise<void>((resolve) => {
      this.#resume = resolve;
    });
  }
}
