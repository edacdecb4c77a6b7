import { createHash } from "node:crypto";
import {
  boundedText,
  type Clock,
  type Logger,
  messageOf,
  numberAt,
  startTimeLimit,
  withTimeout,
} from "@keelson/base";
import {
  isConflict,
  isKubeNotFound,
  type KubeApi,
  type KubeObject,
  type ObjectKey,
  resources,
} from "@keelson/kube";
import { timestamp } from "../objects/conditions.ts";
import { type CorrelatedEvent, EventCorrelator, type EventText } from "./event-correlator.ts";

export interface EventRecorderOptions {
  readonly api: Pick<KubeApi, "create" | "find" | "mergePatch">;
  /** Controller name in Events. At most 128 characters. */
  readonly component: string;
  /** Process name in Events, for example the pod name. */
  readonly instance: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Maximum number of Events in memory while the API server is slow. Further Events are dropped, because Events are best effort.
 */
const maxWaiting = 1_000;
const timeoutMs = 10_000;
/** Maximum message length that the API server accepts. */
const maxMessage = 1_024;

/**
 * Records Events (core/v1) about objects. It never blocks and never throws. Events are written sequentially in the background.
 * The name of an Event is derived from its content. A repeated Event therefore increments the count of the existing Event, even
 * after a restart.
 */
export class EventRecorder implements AsyncDisposable {
  readonly #options: EventRecorderOptions;
  readonly #correlator: EventCorrelator;
  readonly #stop = new AbortController();
  #waiting = 0;
  #written: Promise<void> = Promise.resolve();

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#correlator = new EventCorrelator(options.clock);
  }

  record(about: KubeObject, text: EventText): void {
    if (this.#stop.signal.aborted || this.#waiting >= maxWaiting) return;
    const correlated = this.#correlator.correlate(about, text);
    if (!correlated) return;
    this.#waiting += 1;
    this.#written = this.#written.then(() => this.#write(about, correlated));
  }

  /** Resolves when all recorded Events were written or dropped. */
  async flush(): Promise<void> {
    await this.#written;
  }

  /** Waits up to five seconds for pending Events. */
  async [Symbol.asyncDispose](): Promise<void> {
    {
      using _ = startTimeLimit(5_000, () => this.#stop.abort());
      await this.#written;
    }
    this.#stop.abort();
  }

  async #write(about: KubeObject, event: CorrelatedEvent): Promise<void> {
    const { logger, component } = this.#options;
    const { text } = event;
    try {
      if (!this.#stop.signal.aborted) await this.#count(about, event);
    } catch (error) {
      // A lost Event is harmless. A frequent cause is that its namespace is terminating.
      logger.debug({ component, reason: text.reason, error: messageOf(error) }, "an event was not recorded");
    } finally {
      this.#waiting -= 1;
    }
  }

  async #count(about: KubeObject, event: CorrelatedEvent): Promise<void> {
    const { api, component } = this.#options;
    const signal = withTimeout(this.#stop.signal, timeoutMs);
    const key = eventKey(about, event, component);
    // Creates the Event without reading it first, because most Events are new. After a conflict, the existing Event is updated.
    // If it has expired before the update, a second attempt creates the Event.
    for (let attempt = 1; ; attempt++)
      try {
        await api.create(resources.events, this.#event(about, event, key), signal);
        return;
      } catch (error) {
        if (!isConflict(error)) throw error;
        if ((await this.#countUp(event, key, signal)) || attempt > 1) return;
      }
  }

  /** Increments the count of an existing Event. Returns false if the Event no longer exists. */
  async #countUp(event: CorrelatedEvent, key: Required<ObjectKey>, signal: AbortSignal): Promise<boolean> {
    const { api, clock } = this.#options;
    const present = await api.find(resources.events, key, signal);
    if (!present) return false;
    const count = (numberAt(present, "count") ?? 1) + event.count;
    const message = boundedText(event.text.message, maxMessage);
    const patch = { count, message, lastTimestamp: timestamp(clock.now()) };
    try {
      await api.mergePatch(resources.events, key, patch, signal);
      return true;
    } catch (error) {
      if (isKubeNotFound(error)) return false;
      throw error;
    }
  }

  #event(about: KubeObject, { text, count }: CorrelatedEvent, key: Required<ObjectKey>): KubeObject {
    const { type, reason, message } = text;
    const { clock, component, instance } = this.#options;
    const { name, namespace, uid, resourceVersion } = about.metadata;
    const now = timestamp(clock.now());
    return {
      apiVersion: "v1",
      kind: "Event",
      metadata: key,
      involvedObject: {
        apiVersion: about.apiVersion,
        kind: about.kind,
        namespace,
        name,
        uid,
        resourceVersion,
      },
      type,
      reason,
      message: boundedText(message, maxMessage),
      source: { component },
      reportingComponent: component,
      reportingInstance: instance,
      count,
      firstTimestamp: now,
      lastTimestamp: now,
    };
  }
}

/** Returns the key of an Event. Events about cluster-scoped objects are in namespace `default`. */
function eventKey(
  { metadata, kind }: KubeObject,
  { text, identity }: CorrelatedEvent,
  component: string,
): Required<ObjectKey> {
  const { name, namespace = "default", uid } = metadata;
  const hash = createHash("sha256")
    .update(JSON.stringify([kind, uid, text.type, text.reason, identity, component]))
    .digest("hex");
  return { namespace, name: `${subdomain(name)}.${hash.slice(0, 16)}` };
}

/**
 * Converts an object name to a DNS subdomain of at most 253 characters, because Event names must be DNS subdomains. Object names
 * such as `system:aro-sre` are not.
 */
function subdomain(name: string): string {
  const start = name.slice(0, 230);
  if (/^[a-z0-9]+(?:[-.][a-z0-9]+)*$/.test(start)) return start;
  return (
    start
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "") || "object"
  );
}
