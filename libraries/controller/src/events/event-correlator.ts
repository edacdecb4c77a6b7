import type { Clock } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import { TokenBucket } from "../queue/token-bucket.ts";
import { EventSeries } from "./event-series.ts";

export interface EventText {
  readonly type: "Normal" | "Warning";
  /** A word in CamelCase that programs may compare. */
  readonly reason: string;
  readonly message: string;
  /** What of the object it is about: each subject has a budget of its own. The object as a whole when absent. */
  readonly subject?: string;
  /**
   * Each message is a fact of its own, as operators report them: messages are never combined, each time is written, and the
   * budget is that of library-go's RecommendedClusterSingletonCorrelatorOptions.
   */
  readonly isDistinct?: boolean;
}

/** What is to be written: a new Event, or how often one that is there has happened since it was last written. */
export interface CorrelatedEvent {
  readonly text: EventText;
  /** Names the Event among those of its object: its message, but one for all that are combined. */
  readonly identity: string;
  readonly count: number;
}

/** Of one object, as client-go's EventSourceObjectSpamFilter has it: 25 at once, then one every five minutes. */
const rate = { burst: 25, perSecond: 1 / 300 };
const distinctRate = { burst: 60, perSecond: 1 };
/** Messages of one reason about one object beyond this many, within `similarMs`, are combined into one event. */
const maxSimilar = 10;
const similarMs = 600_000;
/** Objects, and reasons, that are remembered; the longest unused is forgotten. */
const maxRemembered = 4_096;

interface Similar {
  readonly messages: Set<string>;
  lastMs: number;
}

/** Decides what becomes of an event, so that neither a hot loop nor a message that changes every time floods etcd. */
export class EventCorrelator {
  readonly #clock: Clock;
  readonly #budgets = new Map<string, TokenBucket>();
  readonly #similar = new Map<string, Similar>();
  readonly #series = new Map<string, EventSeries>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * The event to write, combined with similar ones where there are many; `undefined` when it is one too many. A Warning
   * that repeats, as a failure does with each attempt, is written ever more rarely, with how often it happened.
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
