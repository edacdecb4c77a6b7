import { type Backoff, backoffMs, type Clock } from "@keelson/base";

/** What a reconcile asks for: nothing, or to be called again although nothing may have changed. */
export interface Outcome {
  readonly requeueAfterMs?: number;
}

export interface WorkQueueOptions {
  readonly process: (key: string, signal: AbortSignal) => Promise<Outcome>;
  /** Called for every failure; the key is tried again after the back-off, or at once when it is added again. */
  readonly onFailure: (key: string, error: unknown, attempt: number) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

interface KeyState {
  added: boolean;
  failures: number;
  /** Ends the pause before the next call, while there is one. */
  wake: AbortController | undefined;
}

const failureBackoff: Backoff = { attempts: Infinity, firstMs: 50, factor: 2, maxMs: 30_000, jitter: 0.1 };

/**
 * Runs `process` for keys: one call at a time per key, different keys side by side. A key added while it is
 * processed is processed once more. A key at rest costs nothing.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #keys = new Map<string, KeyState>();
  readonly #running = new Set<Promise<void>>();

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  add(key: string): void {
    if (this.#options.signal.aborted) return;
    const state = this.#keys.get(key);
    if (state) {
      state.added = true;
      // With a reason: the default one, an error with a stack, costs more than most calls.
      state.wake?.abort("added");
      return;
    }
    const work = this.#work(key, this.#enter(key)).finally(() => this.#running.delete(work));
    this.#running.add(work);
  }

  /** Resolves when nothing is processed any more; useful after the signal aborted. */
  async drained(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #enter(key: string): KeyState {
    const state = { added: false, failures: 0, wake: undefined };
    this.#keys.set(key, state);
    return state;
  }

  async #work(key: string, state: KeyState): Promise<void> {
    const { signal } = this.#options;
    while (!signal.aborted) {
      state.added = false;
      const pauseMs = await this.#attempt(key, state);
      if (state.added) continue;
      if (pauseMs === undefined) break;
      await this.#pause(pauseMs, state);
    }
    this.#keys.delete(key);
  }

  /** One call; gives the milliseconds until the next, `undefined` when the key can rest. */
  async #attempt(key: string, state: KeyState): Promise<number | undefined> {
    try {
      const { requeueAfterMs } = await this.#options.process(key, this.#options.signal);
      state.failures = 0;
      return requeueAfterMs;
    } catch (error) {
      if (this.#options.signal.aborted) return undefined;
      state.failures += 1;
      this.#options.onFailure(key, error, state.failures);
      return backoffMs(failureBackoff, state.failures);
    }
  }

  async #pause(ms: number, state: KeyState): Promise<void> {
    const wake = new AbortController();
    state.wake = wake;
    const signal = AbortSignal.any([this.#options.signal, wake.signal]);
    await this.#options.clock.sleep(ms, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    state.wake = undefined;
  }
}
