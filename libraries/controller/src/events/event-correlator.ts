import type { Clock } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import { TokenBucket } from "../queue/token-bucket.ts";
import { EventSeries } from "./event-series.ts";

export interface EventText {
  readonly type: "Normal" | "Warning";
  /** Reason as a CamelCase word. Programs may compare it. */
  readonly reason: string;
  readonly message: string;
  /**
   * Part of the object to which the Event refers, for example one of its components. Each subject has a separate rate limit.
   * Default: the complete object.
   */
  readonly subject?: string;
  /**
   * True if each message is separate information, as in Events of OpenShift's operators. Such messages are written individually
   * instead of combined. Their rate limit is that of library-go's RecommendedClusterSingletonCorrelatorOptions.
   */
  readonly isDistinct?: boolean;
}

/** Event to write. `count` is the number of occurrences since the last write. */
export interface CorrelatedEvent {
  readonly text: EventText;
  /** Identifies the Event among the Events of its object. The value is the message, or a fixed string for combined messages. */
  readonly identity: string;
  readonly count: number;
}

/** Rate limit per object, as in client-go's EventSourceObjectSpamFilter: a burst of 25 Events, then one every five minutes. */
const rate = { burst: 25, perSecond: 1 / 300 };
const distinctRate = { burst: 60, perSecond: 1 };
/**
 * Maximum number of different messages with the same object, type and reason. Further messages are combined into one Event, until
 * no similar message occurs for `similarMs`.
 */
const maxSimilar = 10;
const similarMs = 600_000;
/**
 * Maximum number of entries in each map: rate limits by object, similar messages by object and reason, and series by Event. The
 * least recently used entry is evicted.
 */
const maxRemembered = 4_096;

interface Similar {
  readonly messages: Set<string>;
  lastMs: number;
}

/** Combines and rate-limits Events. A hot loop or a varying message therefore cannot flood etcd. */
export class EventCorrelator {
  readonly #clock: Clock;
  readonly #budgets = new Map<string, TokenBucket>();
  readonly #similar = new Map<string, Similar>();
  readonly #series = new Map<string, EventSeries>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns the Event to write. Undefined if the rate limit is exceeded, or if the next write of a repeated Warning is not due.
   * Above `maxSimilar`, similar Events are combined. A repeated Warning is written at growing intervals, with its count.
   */
  correlate(about: KubeObject, text: EventText): CorrelatedEvent | undefined {
    const object = JSON.stringify([
      about.kind,
      about.metadata.namespace,
      about.metadata.name,
      about.metadata.uid,
      text.subject,
    ]);
    const { isDistinct = false } = text;
    const limits = isDistinct ? distinctRate : rate;
    const budget = remembered(this.#budgets, object, () => new TokenBucket(limits, this.#clock));
    const correlated = isDistinct ? { text, identity: text.message } : this.#combine(object, text);
    if (isDistinct || text.type === "Normal")
      return budget.tryTake() ? { ...correlated, count: 1 } : undefined;
    const name = JSON.stringify([object, text.reason, correlated.identity]);
    const series = remembered(this.#series, name, () => new EventSeries(this.#clock));
    series.happened();
    return series.isDue && budget.tryTake() ? { ...correlated, count: series.take() } : undefined;
  }

  #combine(object: string, text: EventText): Omit<CorrelatedEvent, "count"> {
    const now = this.#clock.monotonicMs();
    const key = JSON.stringify([object, text.type, text.reason]);
    const similar = remembered(this.#similar, key, () => ({ messages: new Set<string>(), lastMs: now }));
    if (now - similar.lastMs > similarMs) similar.messages.clear();
    similar.lastMs = now;
    if (similar.messages.size < maxSimilar) similar.messages.add(text.message);
    if (similar.messages.has(text.message)) return { text, identity: text.message };
    const combined = "(combined from similar events)";
    return { text: { ...text, message: `${combined}: ${text.message}` }, identity: combined };
  }
}

function remembered<T>(entries: Map<string, T>, key: string, make: () => T): T {
  const entry = entries.get(key) ?? make();
  entries.delete(key);
  entries.set(key, entry);
  if (entries.size > maxRemembered) {
    const [oldest] = entries.keys();
    if (oldest !== undefined) entries.delete(oldest);
  }
  return entry;
}
