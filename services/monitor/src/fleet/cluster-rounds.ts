import type { Clock } from "@keelson/base";
import { PassSlots } from "./pass-slots.ts";

export interface ClusterRoundsOptions {
  /** Interval between the starts of two passes over a cluster. */
  readonly everyMs: number;
  /** Maximum number of passes at work. */
  readonly limit: number;
  /** Runs one pass, and calls `progress` whenever it advances. Never rejects. */
  readonly pass: (id: string, signal: AbortSignal, progress: () => void) => Promise<void>;
  /** Called for each pass with a delay of more than a sixth of a period. */
  readonly onLate?: () => void;
  /** Random number from 0 to 1. Default: `Math.random`. */
  readonly random?: () => number;
  readonly clock: Clock;
}

interface Round {
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/** Random variation of the interval, as a fraction, so that the passes of clusters do not synchronize. */
const jitter = 0.1;
/** Fraction of the period within which clusters of a stopped monitor are visited. */
const hurry = 0.25;
const lateAfter = 1 / 6;
/**
 * Time without a response after which a cluster is considered stalled. No response of a healthy cluster takes
 * that long.
 */
const stalledMs = 5_000;

/**
 * Runs one round per cluster: a pass, a wait, a pass. The first pass begins at a random time within the period.
 * Disposal stops all rounds.
 */
export class ClusterRounds implements AsyncDisposable {
  readonly #options: Required<ClusterRoundsOptions>;
  readonly #slots: PassSlots;
  readonly #rounds = new Map<string, Round>();
  /** Stopped rounds with a last pass that is still running. */
  readonly #ending = new Map<string, Promise<void>>();

  constructor(options: ClusterRoundsOptions) {
    this.#options = { random: Math.random, onLate: () => undefined, ...options };
    this.#slots = new PassSlots({ limit: options.limit, stalledMs, clock: options.clock });
  }

  /** Number of running passes. */
  get active(): number {
    return this.#slots.active;
  }

  /** Number of due passes that wait for their turn. */
  get waiting(): number {
    return this.#slots.waiting;
  }

  get ids(): readonly string[] {
    return [...this.#rounds.keys()];
  }

  /**
   * Starts a round. Does nothing if it has started already. `isLeft`: the cluster may not have been visited for
   * a long time.
   */
  begin(id: string, isLeft = false): void {
    if (this.#rounds.has(id)) return;
    const stop = new AbortController();
    this.#rounds.set(id, { stop, ended: this.#run(id, isLeft, stop.signal) });
  }

  /** Stops the round and aborts its running pass. */
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
    // A second round of the same cluster waits for the last pass of the first one.
    await this.#ending.get(id);
    let dueMs = clock.monotonicMs() + everyMs * random() * (isLeft ? hurry : 1);
    // The second passes of clusters that start together are spread over the period.
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
