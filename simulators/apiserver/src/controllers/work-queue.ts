import { type Clock, type Logger, messageOf } from "@keelson/base";

const firstRetryMs = 50;
const maxRetryMs = 5_000;

export interface WorkQueueDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Runs `reconcile` for each key that was added, one after another; a key that fails comes again after a back-off. */
export class WorkQueue {
  readonly #name: string;
  readonly #reconcile: (key: string) => Promise<void>;
  readonly #deps: WorkQueueDeps;
  readonly #waiting = new Set<string>();
  readonly #failures = new Map<string, number>();
  #running = false;
  /** Ends when nothing waits any more. */
  #work = Promise.resolve();

  constructor(name: string, reconcile: (key: string) => Promise<void>, deps: WorkQueueDeps) {
    this.#name = name;
    this.#reconcile = reconcile;
    this.#deps = deps;
  }

  add(key: string): void {
    if (this.#deps.signal.aborted) return;
    this.#waiting.add(key);
    if (!this.#running) this.#work = this.#run();
  }

  /** Resolves when every key that was added has had its turn. */
  idle(): Promise<void> {
    return this.#work;
  }

  async #run(): Promise<void> {
    this.#running = true;
    // Whoever adds is in the middle of something: begin after it.
    await Promise.resolve();
    for (const key of this.#waiting) {
      if (this.#deps.signal.aborted) return;
      this.#waiting.delete(key);
      try {
        await this.#reconcile(key);
        this.#failures.delete(key);
      } catch (error) {
        this.#retryLater(key, error);
      }
    }
    this.#running = false;
  }

  #retryLater(key: string, error: unknown): void {
    const { clock, logger, signal } = this.#deps;
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    logger.debug(
      { controller: this.#name, key, error: messageOf(error) },
      "reconcile failed, will try again",
    );
    const wait = Math.min(maxRetryMs, firstRetryMs * 2 ** (failures - 1));
    clock.sleep(wait, signal).then(
      () => this.add(key),
      () => undefined,
    );
  }
}
