import type { Clock } from "@keelson/base";
import { PassSlots } from "./pass-slots.ts";

export interface ClusterRoundsOptions {
  /** Between the beginnings of two passes over a cluster. */
  readonly everyMs: number;
  /** Passes at work at the same time. */
  readonly limit: number;
  /** One pass, which calls `progress` whenever it goes on. Never rejects. */
  readonly pass: (id: string, signal: AbortSignal, progress: () => void) => Promise<void>;
  /** Called for each pass that begins later than it should by more than a sixth of a period. */
  readonly onLate?: () => void;
  /** From 0 to 1; `Math.random` when absent. */
  readonly random?: () => number;
  readonly clock: Clock;
}

interface Round {
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/** A part of the period by which passes come earlier or later, so that clusters do not fall into step. */
const jitter = 0.1;
/** A part of the period within which clusters that others have left are visited. */
const hurry = 0.25;
const lateAfter = 1 / 6;
/** Longer than a healthy cluster takes for any one answer. */
const stalledMs = 5_000;

/** One round for each cluster: a pass, a wait, a pass. The first one begins somewhere within the period. Disposal stops all. */
export class ClusterRounds implements AsyncDisposable {
  readonly #options: Required<ClusterRoundsOptions>;
  readonly #slots: PassSlots;
  readonly #rounds = new Map<string, Round>();
  /** Rounds that were stopped and whose last pass has not ended yet. */
  readonly #ending = new Map<string, Promise<void>>();

  constructor(options: ClusterRoundsOptions) {
    this.#options = { random: Math.random, onLate: () => undefined, ...options };
    this.#slots = new PassSlots({ limit: options.limit, stalledMs, clock: options.clock });
  }

  /** Passes that run now. */
  get active(): number {
    return this.#slots.active;
  }

  /** Passes that are due and wait for their turn. */
  get waiting(): number {
    return this.#slots.waiting;
  }

  get ids(): readonly string[] {
    return [...this.#rounds.keys()];
  }

  /** Nothing happens when it has begun already. `isLeft`: no monitor may have visited the cluster for long. */
  begin(id: string, isLeft = false): void {
    if (this.#rounds.has(id)) return;
    const stop = new AbortController();
    this.#rounds.set(id, { stop, ended: this.#run(id, isLeft, stop.signal) });
  }

  /** The pass that runs is ended. */
  end(id: string): void {
    const round = this.#rounds.get(id);
    if (!round) return;
    this.#rounds.delete(id);
    round.stop.abort(new Error("the cluster is no longer watched here"));
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
    // Of two rounds of one cluster, the second waits for the first one's last pass.
    await this.#ending.get(id);
    let dueMs = clock.monotonicMs() + everyMs * random() * (isLeft ? hurry : 1);
    // Those that begin close together are spread over the period by their second pass.
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
