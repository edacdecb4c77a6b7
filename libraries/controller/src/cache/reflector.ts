import { type Backoff, backoffMs, type Clock, type Logger, messageOf } from "@keelson/base";
import {
  isExpired,
  isKubeNotFound,
  type KubeApi,
  KubeError,
  type KubeObject,
  type KubeResource,
  type Selection,
  type WatchEvent,
  type WatchOptions,
} from "@keelson/kube";

/** The state of one resource of one API server, then its changes. */
export type Observation<T extends KubeObject> =
  /** A list begins: what is not listed until it ends does not exist. */
  | { readonly type: "listing" }
  | { readonly type: "listed" | "changed" | "removed"; readonly object: T }
  /** The list has ended at this revision. */
  | { readonly type: "complete"; readonly resourceVersion: string }
  /** Nothing else changed up to this revision. */
  | { readonly type: "progressed"; readonly resourceVersion: string }
  /** The server does not serve the resource. */
  | { readonly type: "absent" };

export interface ReflectorOptions<T extends KubeObject> {
  readonly api: Pick<KubeApi, "list" | "watch">;
  readonly resource: KubeResource<T>;
  readonly selection: Selection;
  readonly report: (observation: Observation<T>) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** As client-go's reflector has it: a server that is away, or overloaded, is asked ever more rarely. */
const failureBackoff: Backoff = { attempts: Infinity, firstMs: 800, factor: 2, maxMs: 30_000, jitter: 0.5 };
/** A watch that the server ended in good order is begun again soon; one that ends at once, over and over, is not. */
const watchPauseMs = 50;
const healthyWatchMs = 1_000;
/** Whether a resource is served by now is asked this often. */
const absentMs = 30_000;

/**
 * Lists and watches one resource until its signal aborts. It streams the list where the server can (KEP-3157), goes on
 * from the last revision when a watch ends, and lists again when that is too old.
 */
export class Reflector<T extends KubeObject> {
  readonly #options: ReflectorOptions<T>;
  #streams = true;
  /** Where the next watch goes on; `undefined` to list first. */
  #revision: string | undefined;
  #failures = 0;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
  }

  /** One call that waits, not one inside the other: a process may have ten thousand of them. */
  async run(signal: AbortSignal): Promise<void> {
    const { api, clock, resource, selection } = this.#options;
    while (!signal.aborted) {
      const beganMs = clock.monotonicMs();
      let pauseMs: number;
      try {
        if (this.#revision === undefined && !this.#streams) await this.#list(signal);
        const position = this.#begin();
        for await (const event of api.watch(resource, { ...selection, ...position }, signal))
          this.#take(event);
        const isHealthy = clock.monotonicMs() - beganMs >= healthyWatchMs;
        pauseMs = isHealthy ? watchPauseMs : this.#backOff();
      } catch (error) {
        pauseMs = this.#failed(error, signal);
      }
      if (pauseMs > 0) await clock.sleep(pauseMs, signal).catch(() => undefined);
    }
  }

  /** The pause before the next try. */
  #failed(error: unknown, signal: AbortSignal): number {
    const { logger, resource, report } = this.#options;
    if (signal.aborted) return 0;
    if (isExpired(error) && this.#revision !== undefined) {
      this.#revision = undefined;
      return watchPauseMs;
    }
    if (this.#streams && this.#revision === undefined && refusesStreams(error)) {
      this.#streams = false;
      return 0;
    }
    if (isKubeNotFound(error)) {
      this.#revision = undefined;
      report({ type: "absent" });
      return this.#backOff(absentMs);
    }
    logger.warn(
      { resource: resource.plural, group: resource.group, error: messageOf(error) },
      "watch failed",
    );
    return this.#backOff();
  }

  #backOff(maxMs = failureBackoff.maxMs): number {
    return backoffMs({ ...failureBackoff, maxMs }, Math.min(++this.#failures, 10));
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { api, resource, selection, report } = this.#options;
    const list = await api.list(resource, selection, signal);
    report({ type: "listing" });
    for (const object of list.items) report({ type: "listed", object });
    this.#complete(list.resourceVersion);
  }

  /** Where the watch that is about to begin goes on; without a revision it lists first. */
  #begin(): Pick<WatchOptions, "sendInitialEvents" | "resourceVersion"> {
    if (this.#revision !== undefined) return { resourceVersion: this.#revision };
    this.#options.report({ type: "listing" });
    return { sendInitialEvents: true };
  }

  /** Whether what comes is there already: its end brings the revision. */
  get #isListing(): boolean {
    return this.#revision === undefined;
  }

  #take(event: WatchEvent<T>): void {
    if (event.type === "BOOKMARK") {
      if (!this.#isListing) this.#progressed(event.resourceVersion);
      else if (event.initialEventsEnd) this.#complete(event.resourceVersion);
      return;
    }
    const { object } = event;
    const stored = this.#isListing ? "listed" : "changed";
    this.#options.report({ type: event.type === "DELETED" ? "removed" : stored, object });
    const { resourceVersion } = object.metadata;
    if (!this.#isListing && resourceVersion !== undefined) this.#progressed(resourceVersion);
  }

  #complete(resourceVersion: string): void {
    this.#revision = resourceVersion;
    this.#failures = 0;
    this.#options.report({ type: "complete", resourceVersion });
  }

  #progressed(resourceVersion: string): void {
    this.#revision = resourceVersion;
    this.#failures = 0;
    this.#options.report({ type: "progressed", resourceVersion });
  }
}

/** 422 of servers without streaming lists, 500 of those whose etcd cannot (before 3.4.25 and 3.5.8), 400 of proxies. */
function refusesStreams(error: unknown): boolean {
  return error instanceof KubeError && [400, 422, 500].includes(error.code);
}
