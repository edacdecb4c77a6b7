import type { Clock, Logger, Metrics } from "@keelson/base";
import type { KubeApi } from "@keelson/kube";
import { Cache, type CacheOptions } from "../cache/cache.ts";
import type { Controller } from "../controller/controller.ts";
import { ControllerGroup } from "../controller/controller-group.ts";
import type { LeaderElection } from "../election/leader-election.ts";
import { EventRecorder } from "../events/event-recorder.ts";
import { ControllerMetrics } from "../metrics/controller-metrics.ts";
import { countNoOpWrites, seeOwnWrites } from "../writes/no-op-writes.ts";
import { withWriteHooks } from "../writes/write-hooks.ts";

/** Dependencies that a manager provides to controllers. */
export interface ManagerParts {
  /**
   * API client. Its writes are fenced by the election, counted, and added to the cache immediately. It reads from the server, not
   * from the cache.
   */
  readonly api: KubeApi;
  readonly cache: Cache;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface ManagerOptions<Context> {
  readonly api: KubeApi;
  /** Program name in Events. */
  readonly component: string;
  /** Process name in Events, for example the pod name. */
  readonly instance: string;
  /** Creates the context that all controllers receive. The program may add its own dependencies. */
  readonly context: (parts: ManagerParts) => Context;
  readonly controllers: readonly Controller<Context>[];
  /** Leader election. Default: no election. Without an election, controllers start immediately in every process. */
  readonly election?: LeaderElection | undefined;
  /** True if each new leader writes an Event about the lease, as in client-go. */
  readonly reportsLeader?: boolean;
  /** Maximum number of cached objects per resource. Default: 250,000. */
  readonly maxObjects?: number;
  /** Reduces objects before they are cached. A watch may use a different function. Default: removes `managedFields`. */
  readonly strip?: CacheOptions["strip"];
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

const patienceMs = 30_000;

/**
 * Runs controllers. The manager fills the caches, acquires the lease and starts the controllers. After an abort, it first stops
 * the controllers, then releases the lease, and finally stops the caches.
 */
export class Manager<Context> {
  readonly context: Context;
  readonly cache: Cache;
  readonly #options: ManagerOptions<Context>;
  readonly #events: EventRecorder;
  readonly #controllers: ControllerGroup<Context>;
  /** True for a new leader until it has reconciled all initial keys. */
  #isBeginning = false;

  /** @throws Error if two controllers have the same name or cache one resource with different fields */
  constructor(options: ManagerOptions<Context>) {
    const { api, clock, component, controllers, election, instance, logger, metrics } = options;
    const { maxObjects, strip } = options;
    this.#options = options;
    this.cache = new Cache({
      ...{ api, clock, logger },
      maxObjects,
      strip,
    });
    const fence = election ? [election.fence] : [];
    const hooks = [...fence, countNoOpWrites(this.cache, metrics, logger), seeOwnWrites(this.cache)];
    const fenced = withWriteHooks(api, hooks);
    this.#events = new EventRecorder({ api: fenced, component, instance, clock, logger });
    this.context = options.context({ api: fenced, cache: this.cache, events: this.#events, clock, logger });
    const deps = {
      cache: this.cache,
      context: this.context,
      metrics: new ControllerMetrics(metrics),
      clock,
      logger,
    };
    this.#controllers = new ControllerGroup(controllers, deps);
  }

  /**
   * True after every cache was filled and, for a leader, after every key was reconciled once. A rollout therefore waits for the
   * first results of a new leader. A candidate that waits for the lease is also ready, because a rollout starts it before the old
   * leader stops.
   */
  get isReady(): boolean {
    return !this.#isBeginning && this.cache.informers.every(({ hasSynced }) => hasSynced);
  }

  /** True if no controller has pending or delayed work. Only tests use it, because queues with periodic work are never idle. */
  get isIdle(): boolean {
    return this.#controllers.isIdle;
  }

  /** Resolves when no controller has an active or waiting key. Delayed keys may remain. Only tests use it. */
  idle(): Promise<void> {
    return this.#controllers.idle();
  }

  /**
   * Runs until the signal aborts. The active calls of controllers are then aborted, and the lease is released after the last call
   * has ended. Rejects with `LeadershipLost` after a lost lease. Also rejects if a key source fails. After a rejection, the
   * process should exit.
   */
  async run(signal: AbortSignal): Promise<void> {
    const ended = new AbortController();
    const caches = this.cache.run(AbortSignal.any([signal, ended.signal]));
    try {
      await this.#cachesFilled(signal);
      if (signal.aborted) return;
      const lead = (leading: AbortSignal) => this.#lead(leading);
      if (this.#options.election) await this.#options.election.run(lead, signal);
      else await lead(signal);
    } catch (error) {
      if (!signal.aborted || error !== signal.reason) throw error;
    } finally {
      ended.abort();
      await caches;
    }
  }

  /**
   * Waits at most 30 seconds until the caches are filled. A controller starts later if its cache is filled later. A cache without
   * read permission is never filled.
   */
  async #cachesFilled(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    const over = new AbortController();
    const late = clock.sleep(patienceMs, AbortSignal.any([signal, over.signal])).catch(() => undefined);
    await Promise.race([this.cache.synced(), late]);
    over.abort();
    const empty = this.cache.informers
      .filter(({ hasSynced }) => !hasSynced)
      .map(({ resource }) => resource.plural);
    if (empty.length === 0) logger.info({ controllers: this.#controllers.size }, "caches are filled");
    else if (!signal.aborted)
      logger.warn({ resources: empty }, "some caches are not filled: their controllers wait");
  }

  async #lead(signal: AbortSignal): Promise<void> {
    this.#isBeginning = true;
    const { election, reportsLeader = false } = this.#options;
    if (election && reportsLeader)
      this.#events.record(election.about, {
        type: "Normal",
        reason: "LeaderElection",
        message: `${election.identity} became leader`,
      });
    try {
      const running = this.#controllers.run(signal);
      await Promise.race([this.#controllers.idle(), running]);
      this.#isBeginning = false;
      await running;
    } finally {
      this.#isBeginning = false;
      await this.#events.flush();
    }
  }
}
