import { type Backoff, backoffMs, type Clock } from "@keelson/base";
import { Fifo } from "./fifo.ts";
import { TokenBucket } from "./token-bucket.ts";

/** Result of processing a key. The result may request that the key is processed again after a delay. */
export interface Result {
  readonly requeueAfterMs?: number | undefined;
}

/** Permanent failure. The key is not retried until it is added again. */
export class TerminalError extends Error {
  override readonly name = "TerminalError";
}

/**
 * Priority of a key. Keys from changes have priority `event`. Keys from an initial list or a periodic check have the lower
 * priority `resync`.
 */
export type Priority = "event" | "resync";

/** Receives queue statistics for metrics and logs. Times are in seconds, as in Prometheus. */
export interface QueueObserver {
  added(): void;
  retried(): void;
  started(waitedSeconds: number): void;
  finished(workedSeconds: number): void;
}

export interface WorkQueueOptions {
  /** Processes one key. If the call rejects, the key is retried, unless the error is a `TerminalError`. */
  readonly process: (key: string, signal: AbortSignal) => Promise<Result>;
  /** Called for every failure. `retryMs` is undefined if the key is not retried. */
  readonly onFailure: (key: string, error: unknown, attempt: number, retryMs: number | undefined) => void;
  /** Maximum number of keys that are processed concurrently. */
  readonly concurrency: number;
  /** Maximum retry delay in ms of a failed key. Default: 1,000 seconds, as in client-go. */
  readonly maxRetryMs?: number;
  readonly clock: Clock;
  /**
   * Signal that stops the queue. After the abort, no further key is processed, and active calls are aborted. Call `drained`
   * afterwards.
   */
  readonly signal: AbortSignal;
  readonly observer?: QueueObserver;
}

/** Retry delays of one key, as in client-go's ItemExponentialFailureRateLimiter. */
const failureBackoff: Backoff = { attempts: Infinity, firstMs: 5, factor: 2, maxMs: 1_000_000, jitter: 0.1 };
/** Rate limit of all retries of a queue, as in client-go's default controller rate limiter. */
const retryRate = { perSecond: 10, burst: 100 };
/**
 * Every tenth key comes from `resync`, even if `event` keys are waiting. A constant stream of events therefore cannot starve
 * `resync` keys.
 */
const resyncShare = 10;

interface Waiting {
  priority: Priority;
  readonly sinceMs: number;
}

/**
 * Calls `process` for each added key. A waiting key is queued only once. A key that is added during its processing is processed
 * once more afterwards, never concurrently. A failed key is retried with exponential backoff, or immediately if it is added
 * again. A key has at most one pending delay, which the last result of its processing determines. Idle keys use no memory.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  /** Created at the first failure. A process may have thousands of queues, and most of them never have a failure. */
  #retries: TokenBucket | undefined;
  readonly #waiting = new Map<string, Waiting>();
  readonly #order: Record<Priority, Fifo<string> | undefined> = { event: undefined, resync: undefined };
  /** Active keys. `again` is the priority if the key was added during its processing. */
  readonly #active = new Map<string, { again: Priority | undefined; readonly sinceMs: number }>();
  #delays: Map<string, AbortController> | undefined;
  #failures: Map<string, number> | undefined;
  /** Defined while a caller waits in `idle` or `drained`. */
  #untilIdle: PromiseWithResolvers<void> | undefined;
  #taken = 0;
  #woken = false;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  /** Number of keys that wait for a worker, by priority. */
  get depths(): Readonly<Record<Priority, number>> {
    const resync = [...this.#waiting.values()].filter(({ priority }) => priority === "resync").length;
    return { event: this.#waiting.size - resync, resync };
  }

  /** Number of active, delayed and waiting keys. Zero if all work is done. */
  get pending(): number {
    return this.#waiting.size + this.#active.size + (this.#delays?.size ?? 0);
  }

  /** Processing time of each active key so far, in seconds. */
  get activeSeconds(): readonly number[] {
    const now = this.#options.clock.monotonicMs();
    return [...this.#active.values()].map(({ sinceMs }) => (now - sinceMs) / 1_000);
  }

  add(key: string, priority: Priority = "event"): void {
    if (this.#options.signal.aborted) return;
    const active = this.#active.get(key);
    if (active) {
      if (active.again !== "event") active.again = priority;
      return;
    }
    const waiting = this.#waiting.get(key);
    if (waiting?.priority === priority || waiting?.priority === "event") return;
    if (waiting) {
      // The key's entry stays in the resync queue. The worker skips this entry later.
      waiting.priority = "event";
    } else {
      this.#waiting.set(key, { priority, sinceMs: this.#options.clock.monotonicMs() });
      this.#options.observer?.added();
    }
    this.#order[priority] ??= new Fifo();
    this.#order[priority].push(key);
    this.#wake();
  }

  /** Adds the key after a delay. The delay is canceled if the key is processed earlier. */
  addAfter(key: string, ms: number): void {
    this.#cancelDelay(key);
    if (this.#options.signal.aborted) return;
    const delay = new AbortController();
    this.#delays ??= new Map();
    this.#delays.set(key, delay);
    this.#options.clock.sleep(ms, delay.signal).then(
      () => {
        if (this.#delays?.get(key) !== delay) return;
        this.#delays.delete(key);
        this.add(key);
      },
      () => undefined,
    );
  }

  /** Resolves when no key is active or waiting. Delayed keys may remain. */
  async idle(): Promise<void> {
    const { signal } = this.#options;
    // The listener exists only during the wait. A process may have thousands of queues with one shared signal.
    const onAbort = () => this.#reportIdle();
    signal.addEventListener("abort", onAbort, { once: true });
    while (this.#active.size > 0 || (this.#waiting.size > 0 && !signal.aborted)) {
      this.#untilIdle ??= Promise.withResolvers();
      await this.#untilIdle.promise;
    }
    signal.removeEventListener("abort", onAbort);
  }

  /** Drops waiting and delayed keys, and resolves when no key is active. Call it after the signal has aborted. */
  async drained(): Promise<void> {
    for (const delay of this.#delays?.values() ?? []) delay.abort();
    this.#delays = undefined;
    this.#waiting.clear();
    this.#failures = undefined;
    this.#reportIdle();
    await this.idle();
  }

  /**
   * Starts workers in a later event loop iteration. A key that is added several times in the current iteration is therefore
   * processed once.
   */
  #wake(): void {
    if (this.#woken) return;
    this.#woken = true;
    setImmediate(() => {
      this.#woken = false;
      this.#fillWorkers();
    });
  }

  #fillWorkers(): void {
    while (this.#active.size < this.#options.concurrency) {
      const next = this.#take();
      if (!next) return;
      void this.#work(next.key, next.waiting);
    }
  }

  #take(): { readonly key: string; readonly waiting: Waiting } | undefined {
    this.#taken += 1;
    const resyncFirst = this.#taken % resyncShare === 0;
    const [first, second] = resyncFirst ? (["resync", "event"] as const) : (["event", "resync"] as const);
    for (const priority of [first, second]) {
      const order = this.#order[priority];
      while (order !== undefined && order.size > 0) {
        const key = order.shift() ?? "";
        const waiting = this.#waiting.get(key);
        if (waiting?.priority !== priority) continue;
        this.#waiting.delete(key);
        return { key, waiting };
      }
      // Releases the memory of the empty queue. A process may have many idle queues.
      this.#order[priority] = undefined;
    }
    return undefined;
  }

  async #work(key: string, { sinceMs: queuedMs }: Waiting): Promise<void> {
    const { clock, observer } = this.#options;
    const sinceMs = clock.monotonicMs();
    const active = { again: undefined as Priority | undefined, sinceMs };
    this.#active.set(key, active);
    this.#cancelDelay(key);
    observer?.started((sinceMs - queuedMs) / 1_000);
    const delayMs = await this.#attempt(key);
    observer?.finished((clock.monotonicMs() - sinceMs) / 1_000);
    this.#active.delete(key);
    if (active.again !== undefined) this.add(key, active.again);
    else if (delayMs !== undefined) this.addAfter(key, delayMs);
    this.#fillWorkers();
    if (this.#waiting.size + this.#active.size === 0) this.#reportIdle();
  }

  #reportIdle(): void {
    this.#untilIdle?.resolve();
    this.#untilIdle = undefined;
  }

  /** Processes a key once. Returns the delay in ms before the next call, or undefined if no further call is necessary. */
  async #attempt(key: string): Promise<number | undefined> {
    const { process, onFailure, signal, observer, maxRetryMs: maxMs = failureBackoff.maxMs } = this.#options;
    try {
      const { requeueAfterMs } = await process(key, signal);
      this.#failures?.delete(key);
      return requeueAfterMs;
    } catch (error) {
      if (signal.aborted) return undefined;
      const attempt = (this.#failures?.get(key) ?? 0) + 1;
      if (error instanceof TerminalError) {
        this.#failures?.delete(key);
        onFailure(key, error, attempt, undefined);
        return undefined;
      }
      this.#failures ??= new Map();
      this.#failures.set(key, attempt);
      this.#retries ??= new TokenBucket(retryRate, this.#options.clock);
      const retryMs = Math.max(backoffMs({ ...failureBackoff, maxMs }, attempt), this.#retries.reserveMs());
      observer?.retried();
      onFailure(key, error, attempt, retryMs);
      return retryMs;
    }
  }

  #cancelDelay(key: string): void {
    this.#delays?.get(key)?.abort();
    this.#delays?.delete(key);
  }
}
