import type { Clock } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import { TokenBucket } from "../queue/token-bucket.ts";

export interface EventText {
  readonly type: "Normal" | "Warning";
  /** A word in CamelCase that programs may compare. */
  readonly reason: string;
  readonly message: string;
  /** What of the object it is about: each subject has a budget of its own. The object as a whole when absent. */
  readonly subject?: string;
  /**
   * Each message is a fact of its own, as operators report them: messages are never combined, and the budget is that of
   * library-go's RecommendedClusterSingletonCorrelatorOptions.
   */
  readonly isDistinct?: boolean;
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

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The text to record, combined with similar ones where there are many; `undefined` when it is one too many. */
  correlate(about: KubeObject, text: EventText): EventText | undefined {
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
    const correlated = isDistinct ? text : this.#combine(object, text);
    return budget.tryTake() ? correlated : undefined;
  }

  #combine(object: string, text: EventText): EventText {
    const now = this.#clock.monotonicMs();
    const key = JSON.stringify([object, text.type, text.reason]);
    const similar = remembered(this.#similar, key, () => ({ messages: new Set<string>(), lastMs: now }));
    if (now - similar.lastMs > similarMs) similar.messages.clear();
    similar.lastMs = now;
    if (similar.messages.size < maxSimilar) similar.messages.add(text.message);
    if (similar.messages.has(text.message)) return text;
    return { ...text, message: `(combined from similar events): ${text.message}` };
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
