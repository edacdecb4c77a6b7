import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { aborted, type Clock, type Logger, Metrics, messageOf } from "@keelson/base";
import type { ClusterEnvironment } from "@keelson/cluster";
import type { Document, Leased, LeasedCollection } from "@keelson/database";
import type { ServiceDatabase } from "@keelson/model";
import { type BackendMetrics, backendMetrics } from "./backend-metrics.ts";
import { type WorkerDeps, workOnCluster } from "./cluster-worker.ts";
import { HeldLease } from "./held-lease.ts";
import { workOnSubscription } from "./subscription-worker.ts";

export interface BackendOptions {
  readonly database: ServiceDatabase;
  readonly environment: ClusterEnvironment;
  /** Clusters and subscriptions worked on at once; 100 when absent. */
  readonly workers?: number;
  /** How long a worker that vanished keeps others out; 60,000 when absent. */
  readonly leaseMs?: number;
  /** Between two renewals of a lease; 10,000 when absent. */
  readonly heartbeatMs?: number;
  /** Acquisitions in a row in which no step finishes, before a cluster is failed; 5 when absent. */
  readonly maxAttempts?: number;
  /** How long a deleted subscription waits for its busy clusters before it is looked at again; 30,000 when absent. */
  readonly subscriptionBackoffMs?: number;
  /** How long running steps may go on once drained; 30,000 when absent. */
  readonly drainMs?: number;
  /** Names this process in leases and journals; made up when absent. */
  readonly owner?: string;
  /** Written to the clusters whose maintenance succeeds in this build; empty when absent, and then not written. */
  readonly buildId?: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: Metrics;
}

/** Workers that take queued clusters and subscriptions, in the order in which they were queued. */
export interface Backend extends AsyncDisposable {
  /**
   * Takes nothing new, lets running steps end, and gives the leases back, so that others go on with the next
   * steps at once. After the time limit, or when `signal` aborts, running steps are abandoned.
   */
  drain(signal: AbortSignal): Promise<void>;
}

/** Starts to work. Disposal drains. */
export async function startBackend(options: BackendOptions): Promise<Backend> {
  const dispatcher = new Dispatcher(options);
  dispatcher.start();
  return {
    drain: (signal) => dispatcher.drain(signal),
    [Symbol.asyncDispose]: () => dispatcher.drain(new AbortController().signal),
  };
}

/** Between two looks at the queue when nothing was pushed: leases and back-offs end without a sound. */
const longestPollMs = 5_000;
/** Changes that come in bursts are looked at together. */
const burstMs = 20;
const backoffAfterTroubleMs = 1_000;

class Dispatcher {
  readonly #options: Required<Omit<BackendOptions, "metrics">>;
  readonly #metrics: BackendMetrics;
  readonly #draining = new AbortController();
  readonly #abandoned = new AbortController();
  /** By lease generation: a document given back can be acquired again before its former worker is quite done. */
  readonly #busy = new Map<number, { readonly id: string; readonly task: Promise<void> }>();
  #loops: readonly Promise<void>[] = [];
  #wake: () => void = () => undefined;
  #woken = true;

  constructor({ metrics = new Metrics(), ...options }: BackendOptions) {
    this.#options = {
      workers: 100,
      leaseMs: 60_000,
      heartbeatMs: 10_000,
      maxAttempts: 5,
      subscriptionBackoffMs: 30_000,
      drainMs: 30_000,
      buildId: "",
      owner: `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`,
      ...options,
    };
    this.#metrics = backendMetrics(metrics);
  }

  start(): void {
    this.#loops = [this.#dispatch(), this.#listen(), this.#tick()];
  }

  async drain(signal: AbortSignal): Promise<void> {
    const { clock, drainMs, logger } = this.#options;
    this.#draining.abort("draining");
    this.#stir();
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
        await clock.sleep(backoffAfterTroubleMs, draining).catch(() => undefined);
      }
      await this.#awakened();
      await clock.sleep(burstMs, draining).catch(() => undefined);
    }
  }

  /** Takes as many documents as there are idle workers. Resolves to how many were there. */
  async #acquire(): Promise<number> {
    const { clusters, subscriptions } = this.#options.database.collections;
    const taken = await this.#acquireFrom(clusters, this.#metrics.clusterWorkers, workOnCluster);
    return (
      taken + (await this.#acquireFrom(subscriptions, this.#metrics.subscriptionWorkers, workOnSubscription))
    );
  }

  async #acquireFrom<T extends Document>(
    collection: LeasedCollection<T>,
    gauge: { inc(): void; dec(): void },
    work: (leased: Leased<T>, held: HeldLease<T>, deps: WorkerDeps) => Promise<void>,
  ): Promise<number> {
    const { owner, leaseMs, workers, clock } = this.#options;
    const limit = workers - this.#busy.size;
    if (limit <= 0) return 0;
    const askedAtMs = clock.monotonicMs();
    const all = await collection.acquire({ owner, ttlMs: leaseMs, limit, signal: this.#limit(leaseMs) });
    for (const leased of all) {
      const held = new HeldLease({ ...this.#options, collection, leased, askedAtMs }).start();
      gauge.inc();
      const task = this.#run(() => work(leased, held, this.#workerDeps()), held).finally(() => {
        gauge.dec();
        this.#busy.delete(leased.lease.generation);
        this.#stir();
      });
      this.#busy.set(leased.lease.generation, { id: leased.lease.id, task });
    }
    return all.length;
  }

  async #run(work: () => Promise<void>, held: AsyncDisposable): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#options.logger.error({ error: messageOf(error) }, "worker failed");
    } finally {
      await held[Symbol.asyncDispose]();
    }
  }

  /** An acquisition is awaited even while draining: cut off, it might leave leases that nobody works under. */
  #limit(ms: number): AbortSignal {
    return AbortSignal.any([this.#abandoned.signal, AbortSignal.timeout(ms)]);
  }

  #workerDeps(): WorkerDeps {
    return {
      ...this.#options,
      signal: this.#abandoned.signal,
      draining: this.#draining.signal,
      metrics: this.#metrics,
    };
  }

  /** Wakes the dispatcher for each change of a document that no worker here holds. */
  async #listen(): Promise<void> {
    const { database, logger } = this.#options;
    const { clusters, subscriptions } = database.collections;
    const queues = new Set([clusters.definition.name, subscriptions.definition.name]);
    try {
      for await (const change of database.changes(this.#draining.signal)) {
        if (change.kind === "resync" || (queues.has(change.collection) && !this.#holds(change.id)))
          this.#stir();
      }
    } catch (error) {
      if (!this.#draining.signal.aborted)
        logger.error({ error: messageOf(error) }, "changes are not heard any more");
    }
  }

  #holds(documentId: string): boolean {
    return [...this.#busy.values()].some(({ id }) => id === documentId);
  }

  /** The slow poll, which also finds what ended without a change: leases of the dead, and back-offs. */
  async #tick(): Promise<void> {
    const { clock, leaseMs, database } = this.#options;
    const draining = this.#draining.signal;
    while (!draining.aborted) {
      await clock.sleep(Math.min(longestPollMs, leaseMs / 2), draining).catch(() => undefined);
      this.#stir();
      if (draining.aborted) return;
      await database.collections.clusters
        .queueLength(draining)
        .then((length) => this.#metrics.queueLength.set(length))
        .catch(() => undefined);
    }
  }

  #stir(): void {
    this.#woken = true;
    this.#wake();
  }

  async #awakened(): Promise<void> {
    if (this.#woken) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }
}
