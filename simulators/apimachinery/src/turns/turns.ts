import { type Clock, systemClock, type WorkBudget } from "@keelson/base";

/** Requests that have taken less are answered without waiting for a turn. */
const lightNodes = 5_000;
const lightBytes = 65_536;

/** After turns that took so long together, nothing but light requests is worked on for a moment. */
const burstMs = 10;
const pauseMs = 2;

/**
 * The event loop, shared fairly by the logical clusters whose requests take long: one part of one request at a time, and
 * between two parts everybody else's light requests.
 */
export class Turns {
  /** In the order of their turns. */
  readonly #waiting = new Map<object, (() => void)[]>();
  readonly #clock: Pick<Clock, "monotonicMs" | "sleep">;
  #scheduled = false;
  /** What turns took since the last pause. */
  #takenMs = 0;

  constructor(clock: Pick<Clock, "monotonicMs" | "sleep"> = systemClock) {
    this.#clock = clock;
  }

  /** Parts of requests that wait for their turn. */
  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, queue) => sum + queue.length, 0);
  }

  /** What to wait for before the next part of a request; `undefined` when it has taken little so far. */
  next(owner: object, budget: WorkBudget | undefined): Promise<void> | undefined {
    const { nodes = 0, bytes = 0 } = budget?.spent ?? {};
    return nodes < lightNodes && bytes < lightBytes ? undefined : this.wait(owner);
  }

  /** The owner's next turn. */
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
      // A light request takes several rounds of the event loop, from its first byte to its commit.
      await this.#clock.sleep(pauseMs, neverAborted);
    }
    this.#scheduled = false;
    const [first] = this.#waiting;
    if (!first) return;
    const [owner, queue] = first;
    const resume = queue.shift();
    this.#waiting.delete(owner);
    // What else this owner has comes after all others.
    if (queue.length > 0) this.#waiting.set(owner, queue);
    const began = this.#clock.monotonicMs();
    // Before what the part itself schedules, so that the next one knows what this one took.
    setImmediate(() => {
      this.#takenMs += this.#clock.monotonicMs() - began;
    });
    if (this.#waiting.size > 0) this.#schedule();
    resume?.();
  }
}

const neverAborted = new AbortController().signal;

/** The turns on this process's event loop. */
export const sharedTurns = new Turns();
