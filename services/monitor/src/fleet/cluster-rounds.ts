import type { Clock } from "@keelson/base";
import { PassSlots } from "./pass-slots.ts";

export interface ClusterRoundsOptions {
  /** Interval in ms between the starts of two consecutive collections from the same cluster. */
  readonly everyMs: number;
  /** Maximum number of active collections. A collection that waits for an unresponsive cluster does not count. */
  readonly limit: number;
  /** Runs one collection from a cluster. Calls `progress` after each response of the cluster. Never rejects. */
  readonly pass: (id: string, signal: AbortSignal, progress: () => void) => Promise<void>;
  /** Called for each collection that starts late, by more than a sixth of the interval. */
  readonly onLate?: () => void;
  /** Random number from 0 to 1. Default: `Math.random`. */
  readonly random?: () => number;
  readonly clock: Clock;
}

interface Round {
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/**
 * Maximum random change of the interval, as a fraction of the interval. Without this change, the clusters' collections would
 * gradually start at the same time.
 */
const jitter = 0.1;
/**
 * Fraction of the interval. A monitor that acquires the clusters of a stopped monitor starts their first collections within this
 * time.
 */
const hurry = 0.25;
const lateAfter = 1 / 6;
/** Time in ms without a response after which a cluster counts as unresponsive. A healthy cluster always responds faster. */
const stalledMs = 5_000;

/**
 * Collects repeatedly from each cluster, at the given interval. The first collection starts at a random time within the interval.
 * Disposal stops all collections.
 */
export class ClusterRounds implements AsyncDisposable {
  readonly #options: Required<ClusterRoundsOptions>;
  readonly #slots: PassSlots;
  readonly #rounds = new Map<string, Round>();
  /** Collections that still run after `end` was called for their cluster. */
  readonly #ending = new Map<string, Promise<void>>();

  constructor(options: ClusterRoundsOptions) {
    this.#options = { random: Math.random, onLate: () => undefined, ...options };
    this.#slots = new PassSlots({ limit: options.limit, stalledMs, clock: options.clock });
  }

  /** Number of running collections. */
  get active(): number {
    return this.#slots.active;
  }

  /** Number of due collections that wait for a slot. */
  get waiting(): number {
    return this.#slots.waiting;
  }

  get ids(): readonly string[] {
    return [...this.#rounds.keys()];
  }

  /**
   * Starts the collections of a cluster. Does nothing if they have already started. `isLeft` is true if the cluster's previous
   * monitor may have stopped long ago.
   */
  begin(id: string, isLeft = false): void {
    if (this.#rounds.has(id)) return;
    const stop = new AbortController();
    this.#rounds.set(id, { stop, ended: this.#run(id, isLeft, stop.signal) });
  }

  /** Stops the collections of a cluster. Aborts the collection that is running. */
  end(id: string): void {
    const round = this.#rounds.get(id);
    if (!round) return;
    this.#rounds.delete(id);
    round.stop.abort(new Error("this monitor no longer watches the cluster"));
    const ended = round.ended.finally(() => {
      if (this.#ending.get(id) === ended) this.#ending.delete(id);
    });
    this.#ending.set(id, ended);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const id of this.ids) this.end(id);
    await Promise.all(this.#ending.values());
  }

  async #run(id: string, isLeft: boolean, signal: AbortSignal): Promise<void> {
    const { everyMs, random, clock } = this.#options;
    // If `begin` is called soon after `end`, the aborted collection may still run. The new collections start after its end.
    await this.#ending.get(id);
    let dueMs = clock.monotonicMs() + everyMs * random() * (isLeft ? hurry : 1);
    // All clusters of a stopped monitor have their first collection within a short time. A larger random change of the next
    // interval spreads their later collections.
    let spread = isLeft ? 0.5 : jitter;
    while (!signal.aborted) {
      await clock.sleep(Math.max(0, dueMs - clock.monotonicMs()), signal).catch(() => undefined);
      if (signal.aborted) return;
      const isBegun = await this.#slots.run((progress) => {
        const nowMs = clock.monotonicMs();
        if (nowMs - dueMs > everyMs * lateAfter) this.#options.onLate();
        dueMs = Math.max(dueMs + everyMs, nowMs) - everyMs * spread * random();
        spread = jitter;
        return this.#options.pass(id, signal, progress);
      }, signal);
      if (!isBegun) return;
    }
  }
}
