import { randomUUID } from "node:crypto";
import { CallLimit, type Clock, type Logger, messageOf } from "@keelson/base";
import type { KubeObject, ObjectKey } from "@keelson/kube";
import type { Cache } from "../cache/cache.ts";
import type { Change, Informer } from "../cache/informer.ts";
import type { ControllerMetrics, ReconcileOutcome } from "../metrics/controller-metrics.ts";
import { keyText, parseKey } from "../objects/object-key.ts";
import { type Priority, type Result, TerminalError, WorkQueue } from "../queue/work-queue.ts";
import type { Controller, ControllerDefaults } from "./controller.ts";
import type { ObjectWatch } from "./watch.ts";

export interface ControllerRunnerDeps<Context> {
  /** Cache of watched objects. Required by controllers that watch objects. */
  readonly cache?: Cache;
  readonly context: Context;
  readonly defaults?: ControllerDefaults;
  /** Metrics of the controller. Default: none. */
  readonly metrics?: ControllerMetrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

const defaultTimeoutMs = 5 * 60_000;
/** Number of consecutive failures after which a failure is logged as lasting. */
const lastingAttempts = 5;

/** Runs one controller. The controller's watches add keys to its queue, and `reconcile` is called for each key in the queue. */
export class ControllerRunner<Context> {
  readonly #controller: Controller<Context>;
  readonly #deps: ControllerRunnerDeps<Context>;
  #queue: WorkQueue | undefined;
  /** Promise that resolves when `run` may start the controller. Defined while `run` waits for the caches of the watches. */
  #begins: PromiseWithResolvers<void> | undefined;

  /** Creates the informers of the controller's watches. Their caches are filled before the controller starts. */
  constructor(controller: Controller<Context>, deps: ControllerRunnerDeps<Context>) {
    this.#controller = controller;
    this.#deps = deps;
    for (const watch of controller.watches) if (watch.kind === "objects") this.#informerOf(watch);
  }

  get name(): string {
    return this.#controller.name;
  }

  /** True if no key is active, waiting or delayed. */
  get isIdle(): boolean {
    return this.#begins === undefined && (this.#queue?.pending ?? 0) === 0;
  }

  /** Resolves when no key is active or waiting. Delayed keys may remain. */
  async idle(): Promise<void> {
    await this.#begins?.promise;
    await this.#queue?.idle();
  }

  /**
   * Runs until the signal aborts and active calls have finished. Rejects if a key source fails. `ended` resolves when the signal
   * aborts. All runners share this promise, because an abort listener of each runner would be the main cost of an idle runner.
   */
  async run(signal: AbortSignal, ended: Promise<void>): Promise<void> {
    const { clock, metrics } = this.#deps;
    const { initialKeys = [], watches, name } = this.#controller;
    const { concurrency = 1, maxRetryMs } = this.#limits;
    const empty = this.#emptyInformers();
    if (empty.length > 0) await this.#filled(empty, ended);
    if (signal.aborted) return;
    const queue = new WorkQueue({
      concurrency,
      clock,
      signal,
      ...(maxRetryMs !== undefined && { maxRetryMs }),
      ...(metrics && { observer: metrics.queue(name) }),
      process: (key, stop) => this.#reconcile(key, stop),
      onFailure: (key, error, attempt, retryMs) => this.#failed(key, error, attempt, retryMs),
    });
    this.#queue = queue;
    const add = (key: ObjectKey, priority: Priority = "event") => queue.add(keyText(key), priority);
    using subscriptions = new DisposableStack();
    subscriptions.use(
      metrics?.started({
        name,
        concurrency,
        get depths() {
          return queue.depths;
        },
        get activeSeconds() {
          return queue.activeSeconds;
        },
      }),
    );
    for (const watch of watches) if (watch.kind === "objects") subscriptions.use(this.#subscribe(watch, add));
    for (const key of initialKeys) add(key);
    const sources = watches.flatMap((watch) =>
      watch.kind === "source" ? [watch.run(add, this.#deps.context, signal)] : [],
    );
    if (this.#controller.resyncMs !== undefined) sources.push(this.#resync(add, signal));
    await Promise.all(sources);
    await ended;
    await queue.drained();
  }

  get #limits(): ControllerDefaults {
    const { concurrency, maxRetryMs, timeoutMs } = this.#controller;
    const { defaults = {} } = this.#deps;
    return {
      ...defaults,
      ...(concurrency !== undefined && { concurrency }),
      ...(maxRetryMs !== undefined && { maxRetryMs }),
      ...(timeoutMs !== undefined && { timeoutMs }),
    };
  }

  #emptyInformers(): readonly Informer[] {
    return this.#controller.watches
      .flatMap((watch) => (watch.kind === "objects" ? [this.#informerOf(watch)] : []))
      .filter(({ hasSynced }) => !hasSynced);
  }

  /** Waits until the informers have synced. If a resource cannot be read, only this controller waits. */
  async #filled(informers: readonly Informer[], ended: Promise<void>): Promise<void> {
    this.#begins = Promise.withResolvers();
    await Promise.race([Promise.all(informers.map((informer) => informer.synced())), ended]);
    this.#begins.resolve();
    this.#begins = undefined;
  }

  #informerOf({ resource, selection, strip }: ObjectWatch<Context>) {
    const { cache } = this.#deps;
    if (!cache)
      throw new Error(`the controller ${this.name} watches ${resource.plural} and was given no cache`);
    return cache.informer(resource, strip ? { selection, strip } : { selection });
  }

  #subscribe(watch: ObjectWatch<Context>, add: (key: ObjectKey, priority?: Priority) => void): Disposable {
    return this.#informerOf(watch).subscribe((change) => {
      for (const key of this.#keys(watch, change)) add(key, change.initial ? "resync" : "event");
    });
  }

  /** Maps a change to keys. If the mapping throws, only this change is lost. The next change is mapped normally. */
  #keys(watch: ObjectWatch<Context>, change: Change): readonly ObjectKey[] {
    const { context, logger } = this.#deps;
    try {
      if (!watch.where(change)) return [];
      const of = (object: KubeObject) => [...watch.keys(object, context, change)];
      return change.type === "updated" ? [...of(change.before), ...of(change.object)] : of(change.object);
    } catch (error) {
      logger.error({ controller: this.name, error: messageOf(error) }, "mapping a change to keys failed");
      return [];
    }
  }

  async #resync(add: (key: ObjectKey, priority: Priority) => void, signal: AbortSignal): Promise<void> {
    const { resyncMs, initialKeys = [], watches } = this.#controller;
    const { clock } = this.#deps;
    while (resyncMs !== undefined && !signal.aborted) {
      await clock.sleep(resyncMs * (0.9 + Math.random() * 0.2), signal).catch(() => undefined);
      if (signal.aborted) break;
      for (const key of initialKeys) add(key, "resync");
      for (const watch of watches) {
        if (watch.kind !== "objects") continue;
        for (const object of this.#informerOf(watch).list())
          for (const key of this.#keys(watch, { type: "created", object, initial: true })) add(key, "resync");
      }
    }
  }

  async #reconcile(key: string, stop: AbortSignal): Promise<Result> {
    const { clock, context, logger, metrics } = this.#deps;
    const { timeoutMs = defaultTimeoutMs } = this.#limits;
    const began = clock.monotonicMs();
    using limit = new CallLimit(stop, timeoutMs);
    const scope = {
      signal: limit.signal,
      logger: logger.child({ controller: this.name, key, reconcileId: randomUUID() }),
    };
    const report = (outcome: ReconcileOutcome) =>
      metrics?.reconciled(this.name, outcome, (clock.monotonicMs() - began) / 1_000);
    try {
      const result = await this.#controller.reconcile(parseKey(key), context, scope);
      report(result.requeueAfterMs === undefined ? "success" : "requeue_after");
      return result;
    } catch (error) {
      report(limit.isOver ? "timeout" : outcomeOf(error));
      throw error;
    }
  }

  #failed(key: string, error: unknown, attempt: number, retryMs: number | undefined): void {
    const { logger } = this.#deps;
    const facts = { controller: this.name, key, attempt, error: messageOf(error), retryMs };
    // The conflict is harmless, because the next attempt reads the state that the concurrent writer stored.
    if (isConflict(error) && attempt < lastingAttempts) logger.debug(facts, "reconcile met a conflict");
    else if (isDefect(error)) logger.error({ ...facts, err: error }, "reconcile failed by a defect");
    else
      logger[retryMs === undefined || attempt >= lastingAttempts ? "error" : "warn"](
        facts,
        "reconcile failed",
      );
  }
}

function outcomeOf(error: unknown): ReconcileOutcome {
  if (error instanceof TerminalError) return "terminal_error";
  return isDefect(error) ? "panic" : "error";
}

/** True for a conflict reported as `KubeError` or by an API server in the same process. */
function isConflict(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === 409;
}

/** True for errors that indicate a bug in the program. */
function isDefect(error: unknown): boolean {
  return error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
}
