import { type Backoff, backoffMs, type Clock, type Logger, messageOf } from "@keelson/base";
import {
  isExpired,
  isKubeNotFound,
  type KubeApi,
  KubeError,
  type KubeObject,
  type KubeResource,
  type Selection,
} from "@keelson/kube";

/** Receives the state of one resource of one API server, then its changes. */
export interface ReflectorSink<T extends KubeObject> {
  /** A list begins: what is not stored until it ends does not exist. */
  listing(): void;
  store(object: T, change: "listed" | "changed"): void;
  removed(object: T): void;
  /** The list has ended at this revision. */
  listed(resourceVersion: string): void;
  /** Nothing else changed up to this revision. */
  progressed(resourceVersion: string): void;
  /** The server does not serve the resource. */
  absent(): void;
}

export interface ReflectorOptions<T extends KubeObject> {
  readonly api: Pick<KubeApi, "list" | "watch">;
  readonly resource: KubeResource<T>;
  readonly selection: Selection;
  readonly sink: ReflectorSink<T>;
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

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const pauseMs = await this.#follow(signal);
      if (pauseMs > 0) await this.#options.clock.sleep(pauseMs, signal).catch(() => undefined);
    }
  }

  /** One list and watch; gives the pause before the next. */
  async #follow(signal: AbortSignal): Promise<number> {
    const { clock, logger, resource, sink } = this.#options;
    const beganMs = clock.monotonicMs();
    try {
      if (this.#revision === undefined && !this.#streams) await this.#list(signal);
      await this.#watch(signal);
      if (clock.monotonicMs() - beganMs >= healthyWatchMs) return watchPauseMs;
    } catch (error) {
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
        sink.absent();
        return backoffMs({ ...failureBackoff, maxMs: absentMs }, Math.min(++this.#failures, 10));
      }
      logger.warn(
        { resource: resource.plural, group: resource.group, error: messageOf(error) },
        "watch failed",
      );
    }
    return backoffMs(failureBackoff, Math.min(++this.#failures, 10));
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { api, resource, selection, sink } = this.#options;
    const list = await api.list(resource, selection, signal);
    sink.listing();
    for (const object of list.items) sink.store(object, "listed");
    this.#listed(list.resourceVersion);
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { api, resource, selection, sink } = this.#options;
    const from = this.#revision;
    let listing = from === undefined;
    if (listing) sink.listing();
    const position = from === undefined ? { sendInitialEvents: true } : { resourceVersion: from };
    for await (const event of api.watch(resource, { ...selection, ...position }, signal)) {
      if (event.type === "BOOKMARK") {
        if (!listing) this.#progressed(event.resourceVersion);
        else if (event.initialEventsEnd) {
          listing = false;
          this.#listed(event.resourceVersion);
        }
        continue;
      }
      if (event.type === "DELETED") sink.removed(event.object);
      else sink.store(event.object, listing ? "listed" : "changed");
      const { resourceVersion } = event.object.metadata;
      if (!listing && resourceVersion !== undefined) this.#progressed(resourceVersion);
    }
  }

  #listed(revision: string): void {
    this.#revision = revision;
    this.#failures = 0;
    this.#options.sink.listed(revision);
  }

  #progressed(revision: string): void {
    this.#revision = revision;
    this.#failures = 0;
    this.#options.sink.progressed(revision);
  }
}

/** 422 of servers without streaming lists, 500 of those whose etcd cannot (before 3.4.25 and 3.5.8), 400 of proxies. */
function refusesStreams(error: unknown): boolean {
  return error instanceof KubeError && [400, 422, 500].includes(error.code);
}
