import type { Clock } from "@keelson/base";

export interface ExpiringResult<T> {
  readonly value: T;
  readonly maxAgeMs: number;
}

interface Entry<T> {
  readonly result: Promise<T>;
  /** Expiry time of the result. Undefined while the computation runs. */
  endsMs: number | undefined;
}

const maxEntries = 1_000;
const maxRunning = 32;

/**
 * Cache of results by key. A result is reused until it expires. Concurrent calls with the same key share one computation.
 * Failures are not cached.
 */
export class ExpiringResults<T> {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry<T>>();
  #running = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns the cached result, or calls `work`.
   * @throws Error if `work` fails or too many calls are running
   */
  async get(key: string, work: () => Promise<ExpiringResult<T>>): Promise<T> {
    const found = this.#entries.get(key);
    if (found && (found.endsMs === undefined || this.#clock.monotonicMs() < found.endsMs))
      return found.result;
    if (this.#running >= maxRunning) throw new Error("too many requests are being reviewed");
    this.#entries.delete(key);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size >= maxEntries && oldest !== undefined) this.#entries.delete(oldest);
    const running = this.#run(work);
    const entry: Entry<T> = { result: running.then(({ value }) => value), endsMs: undefined };
    // Prevents an unhandled rejection. Each caller awaits this promise or `running`, and handles the rejection there.
    entry.result.catch(() => undefined);
    this.#entries.set(key, entry);
    try {
      entry.endsMs = this.#clock.monotonicMs() + (await running).maxAgeMs;
    } catch (error) {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
      throw error;
    }
    return entry.result;
  }

  async #run(work: () => Promise<ExpiringResult<T>>): Promise<ExpiringResult<T>> {
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
    }
  }
}
