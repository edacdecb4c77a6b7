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

/** Event of a reflector: the existing objects of one resource, then each change. */
export type Observation<T extends KubeObject> =
  /** Start of a list. Stored objects that the list does not contain have been deleted. */
  | { readonly type: "listing" }
  | { readonly type: "listed" | "changed" | "removed"; readonly object: T }
  /** End of a list, with the list's revision. */
  | { readonly type: "complete"; readonly resourceVersion: string }
  /** All changes up to this revision have been reported. */
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

/** Retry delays for an unavailable or overloaded server, as in client-go's reflector. */
const failureBackoff: Backoff = { attempts: Infinity, firstMs: 800, factor: 2, maxMs: 30_000, jitter: 0.5 };
/**
 * Pause in ms before the restart of a watch that the server closed normally. A watch that closes immediately is restarted with
 * backoff instead.
 */
const watchPauseMs = 50;
const healthyWatchMs = 1_000;
/** Interval in ms of checks for a resource that the server does not serve yet. */
const absentMs = 30_000;

/**
 * Lists and watches one resource until its signal aborts. The list is streamed if the server supports streaming (KEP-3157). A
 * closed watch resumes at the last revision. If this revision has expired, the reflector lists again.
 */
export class Reflector<T extends KubeObject> {
  readonly #options: ReflectorOptions<T>;
  #streams = true;
  /** Revision at which the next watch starts. If undefined, the existing objects are listed first. */
  #revision: string | undefined;
  #failures = 0;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
  }

  /**
   * Uses one async function without nested async calls, because this saves memory. A process may have ten thousand active calls
   * of `run`.
   */
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

  /** Handles a failure and returns the pause in ms before the next attempt. */
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

  /** Returns the start options of the next watch. Without a revision, the watch begins with a list. */
  #begin(): Pick<WatchOptions, "sendInitialEvents" | "resourceVersion"> {
    if (this.#revision !== undefined) return { resourceVersion: this.#revision };
    this.#options.report({ type: "listing" });
    return { sendInitialEvents: true };
  }

  /** True while the watch reports existing objects. The event that ends this list sets `#revision`. */
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

/**
 * True if a server without streaming lists may have returned the error. API servers return 422, proxies return 400. API servers
 * with an etcd before 3.4.25 or 3.5.8 return 500.
 */
function refusesStreams(error: unknown): boolean {
  return error instanceof KubeError && [400, 422, 500].includes(error.code);
}
