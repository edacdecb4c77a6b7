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

/** What controllers are made of. */
export interface ManagerParts {
  /** Reads go to the server; writes are fenced by the election, counted, and seen by the cache at once. */
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
  /** What every controller is given: the parts, and whatever the program adds. */
  readonly context: (parts: ManagerParts) => Context;
  readonly controllers: readonly Controller<Context>[];
  /** Without one, controllers run at once, and nothing keeps a second process from running them too. */
  readonly election?: LeaderElection | undefined;
  /** Whether an Event about the lease names each new leader, as client-go's election has it. */
  readonly reportsLeader?: boolean;
  /** Of each resource in the cache; 250,000 when absent. */
  readonly maxObjects?: number;
  /** What the cache keeps of objects where a watch does not say; all but `managedFields` when absent. */
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
  /** It leads, and what was there then has not all been reconciled. */
  #isBeginning = false;

  /** @throws Error when two controllers have one name, or cache one resource with different fields */
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
   * True once every cache has been filled, and where this process leads, every key has been reconciled once: a rollout
   * that waits for it is over when the new process has done what it is for. One that waits for the lease is ready, too:
   * rollouts start it before the old one, which holds the lease, ends.
   */
  get isReady(): boolean {
    return !this.#isBeginning && this.cache.informers.every(({ hasSynced }) => hasSynced);
  }

  /** Whether no controller has anything to do, now or later. For tests; queues with periodic work never rest. */
  get isIdle(): boolean {
    return this.#controllers.isIdle;
  }

  /** Resolves when no controller processes a key and none waits; what is due later may remain. For tests. */
  idle(): Promise<void> {
    return this.#controllers.idle();
  }

  /**
   * Until the signal aborts: then calls in progress see their signal abort, and when the last has ended the lease is given
   * back. Rejects with `LeadershipLost` when it was lost, or when a source of keys failed: then the process should end.
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

  /** Controllers whose caches take longer than this begin later than the others: one that may not be read takes for ever. */
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
