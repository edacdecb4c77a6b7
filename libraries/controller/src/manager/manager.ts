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

/** Dependencies of controllers. */
export interface ManagerParts {
  /**
   * Reads from the server. Writes are fenced by the election, counted, and added to the cache immediately.
   */
  readonly api: KubeApi;
  readonly cache: Cache;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface ManagerOptions<Context> {
  readonly api: KubeApi;
  /** Names the program in events. */
  readonly component: string;
  /** Names this process in events, for example its pod. */
  readonly instance: string;
  /** Creates the context of all controllers from the parts. The program may add its own. */
  readonly context: (parts: ManagerParts) => Context;
  readonly controllers: readonly Controller<Context>[];
  /** Default: no election. Controllers then run immediately, even in several processes. */
  readonly election?: LeaderElection | undefined;
  /** True if an Event about the lease names each new leader, as in client-go. */
  readonly reportsLeader?: boolean;
  /** Maximum number of cached objects per resource. Default: 250,000. */
  readonly maxObjects?: number;
  /** Reduces cached objects unless a watch has its own function. Default: drops `managedFields`. */
  readonly strip?: CacheOptions["strip"];
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

const patienceMs = 30_000;

/** Runs controllers: caches first, then the election, then the controllers; it stops in the opposite order. */
export class Manager<Context> {
  readonly context: Context;
  readonly cache: Cache;
  readonly #options: ManagerOptions<Context>;
  readonly #events: EventRecorder;
  readonly #controllers: ControllerGroup<Context>;
  /** True for a leader that has not yet reconciled all initial keys. */
  #isBeginning = false;

  /** @throws Error if two controllers have the same name, or cache one resource with different fields */
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
   * True after every cache was filled and, in the leader, every key was reconciled once, so that a rollout
   * waits until the new process has done its work. A candidate that waits for the lease is also ready,
   * because a rollout starts it before the old leader stops.
   */
  get isReady(): boolean {
    return !this.#isBeginning && this.cache.informers.every(({ hasSynced }) => hasSynced);
  }

  /**
   * True if no controller has pending or delayed work. For tests; queues with periodic work are never idle.
   */
  get isIdle(): boolean {
    return this.#controllers.isIdle;
  }

  /** Resolves when no controller has an active or waiting key. Delayed keys may remain. For tests. */
  idle(): Promise<void> {
    return this.#controllers.idle();
  }

  /**
   * Runs until the signal aborts. Active calls are then aborted, and after the last one the lease is
   * released. Rejects with `LeadershipLost` after a lost lease, or if a source of keys failed. The process
   * should then exit.
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
   * Waits for the caches for a limited time. Controllers with slower caches start later. A cache that may not
   * be read never fills.
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
