import { type Clock, systemClock, type WorkBudget } from "@keelson/base";

/** Maximum work of a light request, counted in visited nodes. Light requests do not wait for the scheduler. */
const lightNodes = 5_000;
const lightBytes = 65_536;

/**
 * Total run time of the steps, in milliseconds, after which the scheduler pauses briefly. Only light requests run during the
 * pause.
 */
const burstMs = 10;
const pauseMs = 2;

/**
 * Fair scheduler of the event loop for logical clusters with long requests. In each turn, one cluster runs one step of one
 * request. Light requests run between two steps.
 */
export class Turns {
  /** Queue of waiting steps by cluster. The first cluster runs next. */
  readonly #waiting = new Map<object, (() => void)[]>();
  readonly #clock: Pick<Clock, "monotonicMs" | "sleep">;
  #scheduled = false;
  /** Run time of all steps since the last pause, in milliseconds. */
  #takenMs = 0;

  constructor(clock: Pick<Clock, "monotonicMs" | "sleep"> = systemClock) {
    this.#clock = clock;
  }

  /** Number of waiting steps. */
  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, queue) => sum + queue.length, 0);
  }

  /**
   * Returns a promise that resolves when the request may continue. Returns undefined if the request has used little of its budget
   * and may continue immediately.
   */
  next(owner: object, budget: WorkBudget | undefined): Promise<void> | undefined {
    const { nodes = 0, bytes = 0 } = budget?.spent ?? {};
    return nodes < lightNodes && bytes < lightBytes ? undefined : this.wait(owner);
  }

  /** Waits until the cluster `owner` may run its next step. */
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
      // The pause allows light requests to finish. Each light request needs several event loop iterations from its first byte to
      // its commit.
      await this.#clock.sleep(pauseMs, neverAborted);
    }
    this.#scheduled = false;
    const [first] = this.#waiting;
    if (!first) return;
    const [owner, queue] = first;
    const resume = queue.shift();
    this.#waiting.delete(owner);
    // The cluster moves to the end of the queue.
    if (queue.length > 0) this.#waiting.set(owner, queue);
    const began = this.#clock.monotonicMs();
    // This callback runs after the step and before the next `#run`. `#takenMs` therefore includes the step when the next step
    // starts.
    setImmediate(() => {
      this.#takenMs += this.#clock.monotonicMs() - began;
    });
    if (this.#waiting.size > 0) this.#schedule();
    resume?.();
  }
}

const neverAborted = new AbortController().signal;

/** Scheduler of this process's event loop. */
export const sharedTurns = new Turns();
