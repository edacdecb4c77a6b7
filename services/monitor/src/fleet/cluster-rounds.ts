import type { Clock } from "@keelson/base";

export interface ClusterRoundsOptions {
  /** Between the beginnings of two passes over a cluster. */
  readonly everyMs: number;
  /** One pass. Never rejects. */
  readonly pass: (id: string, signal: AbortSignal) => Promise<void>;
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

/** One round for each cluster: a pass, a wait, a pass. The first one begins somewhere within the period. Disposal stops all. */
export class ClusterRounds implements AsyncDisposable {
  readonly #options: Required<ClusterRoundsOptions>;
  readonly #rounds = new Map<string, Round>();
  /** Rounds that were stopped and whose last pass has not ended yet. */
  readonly #ending = new Map<string, Promise<void>>();
  #active = 0;

  constructor(options: ClusterRoundsOptions) {
    this.#options = { random: Math.random, ...options };
  }

  /** Passes that run now. */
  get active(): number {
    return this.#active;
  }

  get ids(): readonly string[] {
    return [...this.#rounds.keys()];
  }

  /** Nothing happens when it has begun already. */
  begin(id: string): void {
    if (this.#rounds.has(id)) return;
    const stop = new AbortController();
    this.#rounds.set(id, { stop, ended: this.#run(id, stop.signal) });
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

  async #run(id: string, signal: AbortSignal): Promise<void> {
    const { everyMs, random, clock } = this.#options;
    // Of two rounds of one cluster, the second waits for the first one's last pass.
    await this.#ending.get(id);
    let dueMs = clock.monotonicMs() + everyMs * random();
    while (!signal.aborted) {
      await clock.sleep(Math.max(0, dueMs - clock.monotonicMs()), signal).catch(() => undefined);
      if (signal.aborted) return;
      dueMs = Math.max(dueMs + everyMs, clock.monotonicMs()) - everyMs * jitter * random();
      this.#active++;
      try {
        await this.#options.pass(id, signal);
      } finally {
        this.#active--;
      }
    }
  }
}
