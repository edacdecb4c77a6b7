import type { Clock } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import { TokenBucket } from "../queue/token-bucket.ts";
import { EventSeries } from "./event-series.ts";

export interface EventText {
  readonly type: "Normal" | "Warning";
  /** A word in CamelCase that programs may compare. */
  readonly reason: string;
  readonly message: string;
  /** Aspect of the object with its own rate limit. Default: the complete object. */
  readonly subject?: string;
  /**
   * True if each message is a separate fact, as in Events of operators. Messages are then never combined,
   * each one is written, and the rate limit is that of library-go's
   * RecommendedClusterSingletonCorrelatorOptions.
   */
  readonly isDistinct?: boolean;
}

/** New Event, or the number of repetitions of an existing one since its last write. */
export interface CorrelatedEvent {
  readonly text: EventText;
  /** Identity among the Events of its object: the message, or a fixed value for combined messages. */
  readonly identity: string;
  readonly count: number;
}

/**
 * Rate limit per object, as in client-go's EventSourceObjectSpamFilter: 25 initially, then one every five
 * minutes.
 */
const rate = { burst: 25, perSecond: 1 / 300 };
const distinctRate = { burst: 60, perSecond: 1 };
/** Additional messages with the same reason and object within `similarMs` are combined into one Event. */
const maxSimilar = 10;
const similarMs = 600_000;
/** Objects, and reasons, that are remembered; the longest unused is forgotten. */
const maxRemembered = 4_096;

interface Similar {
  readonly messages: Set<string>;
  lastMs: number;
}

/** Combines and limits Events, so that neither a hot loop nor a varying message floods etcd. */
export class EventCorrelator {
  readonly #clock: Clock;
  readonly #budgets = new Map<string, TokenBucket>();
  readonly #similar = new Map<string, Similar>();
  readonly #series = new Map<string, EventSeries>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns the Event to write, combined with similar ones above a limit. Undefined above the rate limit. A
   * repeated Warning is written less and less often, with its count.
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
