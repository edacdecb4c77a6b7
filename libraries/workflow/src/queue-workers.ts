import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { aborted, type Clock, type Logger, messageOf, withTimeout } from "@keelson/base";
import type { Change } from "@keelson/database";
import type { Taken, WorkQueue } from "./work-queue.ts";

export interface QueueWorkersOptions {
  /** Queues in the order in which an idle worker polls them. */
  readonly queues: readonly WorkQueue[];
  readonly changes: (signal: AbortSignal) => AsyncIterable<Change>;
  /** Maximum number of concurrently processed documents. */
  readonly workers: number;
  /** Time until other workers can acquire the document of a dead worker. */
  readonly leaseMs: number;
  /** Interval of lease renewals. */
  readonly heartbeatMs: number;
  /** Time limit for active work after the start of draining. */
  readonly drainMs: number;
  /** Names this process in leases. */
  readonly owner: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Name of this process in leases: host, process, and a random part. */
export function processOwner(): string {
  return `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
}

/** Poll interval without change notifications. Leases and backoffs expire without a change. */
const longestPollMs = 5_000;
/** Delay that combines the changes of a burst into one poll. */
const burstMs = 20;
const backoffAfterErrorMs = 1_000;

/** Workers that acquire queued documents, each with its own lease. */
export class QueueWorkers {
  readonly #options: QueueWorkersOptions;
  readonly #draining = new AbortController();
  readonly #abandoned = new AbortController();
  /**
   * Keyed by lease generation. A released document can be acquired again before its former worker has
   * finished completely.
   */
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

  /** When the queues were last read, or need not be read as all were busy, in `monotonicMs`; at first `undefined`. */
  get lastAcquiredMs(): number | undefined {
    return this.#lastAcquiredMs;
  }

  /**
   * Stops acquiring documents and waits for active work. Remaining work is abandoned after the time limit, or
   * when `signal` aborts.
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

  /** Acquires as many documents as there are idle workers. Resolves to the number of acquired documents. */
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

  /** An acquisition is not cancelled while draining, because that might leave leases without a worker. */
  #limit(ms: number): AbortSignal {
    return withTimeout(this.#abandoned.signal, ms);
  }

  /** Wakes the dispatcher for each change of a document that no worker of this process holds. */
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

  /** Polls slowly, which also finds expirations without a change: leases of dead workers and backoffs. */
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
