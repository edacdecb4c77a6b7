import { type Clock, systemClock, type WorkBudget } from "@keelson/base";

/** Work up to which requests do not wait for a turn. */
const lightNodes = 5_000;
const lightBytes = 65_536;

/** Total time of turns after which only light requests run for a short pause. */
const burstMs = 10;
const pauseMs = 2;

/**
 * Shares the event loop fairly between logical clusters with long requests. One part of one request runs at a
 * time, and light requests run between two parts.
 */
export class Turns {
  /** Queues in the order of their turns. */
  readonly #waiting = new Map<object, (() => void)[]>();
  readonly #clock: Pick<Clock, "monotonicMs" | "sleep">;
  #scheduled = false;
  /** Time of the turns since the last pause. */
  #takenMs = 0;

  constructor(clock: Pick<Clock, "monotonicMs" | "sleep"> = systemClock) {
    this.#clock = clock;
  }

  /** Number of parts that wait for a turn. */
  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, queue) => sum + queue.length, 0);
  }

  /**
   * Returns the wait before the next part of a request. Undefined if the request has used little of its
   * budget.
   */
  next(owner: object, budget: WorkBudget | undefined): Promise<void> | undefined {
    const { nodes = 0, bytes = 0 } = budget?.spent ?? {};
    return nodes < lightNodes && bytes < lightBytes ? undefined : this.wait(owner);
  }

  /** Waits for the owner's next turn. */
  wait(owner: object): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const queue = this.#waiting.get(owner) ?? [];
    queue.push(resolve);
    this.#waiting.set(owner, queue);
    this.#schedule();
    return promise;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => void this.#run());
  }

  async #run(): Promise<void> {
    if (this.#takenMs >= burstMs) {
      this.#takenMs = 0;
      // A light request needs several iterations of the event loop from its first byte to its commit.
      await this.#clock.sleep(pauseMs, neverAborted);
    }
    this.#scheduled = false;
    const [first] = this.#waiting;
    if (!first) return;
    const [owner, queue] = first;
    const resume = queue.shift();
    this.#waiting.delete(owner);
    // The owner's remaining parts move behind all other owners.
    if (queue.length > 0) this.#waiting.set(owner, queue);
    const began = this.#clock.monotonicMs();
    // Scheduled before the part's own callbacks, so that the next turn knows the duration of this one.
    setImmediate(() => {
      this.#takenMs += this.#clock.monotonicMs() - began;
    });
    if (this.#waiting.size > 0) this.#schedule();
    resume?.();
  }
}

const neverAborted = new AbortController().signal;

/** Turns of this process's event loop. */
export const sharedTurns = new Turns();
