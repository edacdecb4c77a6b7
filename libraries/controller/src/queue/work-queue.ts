import { type Backoff, backoffMs, type Clock } from "@keelson/base";
import { Fifo } from "./fifo.ts";
import { TokenBucket } from "./token-bucket.ts";

/** What processing a key asks for: nothing, or to be called again although nothing may have changed. */
export interface Result {
  readonly requeueAfterMs?: number | undefined;
}

/** A failure that another attempt would meet again: the key is not tried again before it is added. */
export class TerminalError extends Error {
  override readonly name = "TerminalError";
}

/** `resync` (initial lists and periodic checks) gives way to `event` (a change). */
export type Priority = "event" | "resync";

/** What a queue reports, for metrics and logs. Seconds, as Prometheus has them. */
export interface QueueObserver {
  added(): void;
  retried(): void;
  started(waitedSeconds: number): void;
  finished(workedSeconds: number): void;
}

export interface WorkQueueOptions {
  /** Never rejects for an expected reason other than a failure of this key. */
  readonly process: (key: string, signal: AbortSignal) => Promise<Result>;
  /** Called for every failure; `retryMs` is absent for a terminal one. */
  readonly onFailure: (key: string, error: unknown, attempt: number, retryMs: number | undefined) => void;
  /** Keys processed side by side. */
  readonly concurrency: number;
  /** The longest wait before a failed key is tried again; 1,000 seconds when absent, as in client-go. */
  readonly maxRetryMs?: number;
  readonly clock: Clock;
  /** Ends the queue: nothing more is processed, and what is processed sees its signal abort. Then call `drained`. */
  readonly signal: AbortSignal;
  readonly observer?: QueueObserver;
}

/** The retries of one key, as in client-go's ItemExponentialFailureRateLimiter. */
const failureBackoff: Backoff = { attempts: Infinity, firstMs: 5, factor: 2, maxMs: 1_000_000, jitter: 0.1 };
/** The retries of all keys of a queue together, as in client-go's default controller rate limiter. */
const retryRate = { perSecond: 10, burst: 100 };
/** Of this many keys one is taken from `resync` although events wait, so that events without end leave it a part. */
const resyncShare = 10;

interface Waiting {
  priority: Priority;
  readonly sinceMs: number;
}

/**
 * Runs `process` for keys. A key that waits is there once; one that is added while it is processed is processed once
 * more; it is never processed twice at a time. A failed key is tried again with exponential back-off, or at once when
 * it is added. A key has at most one delay, that of its last result. Idle keys hold no memory.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  /** From the first failure on: most queues never see one, and a process may have thousands. */
  #retries: TokenBucket | undefined;
  readonly #waiting = new Map<string, Waiting>();
  readonly #order: Record<Priority, Fifo<string> | undefined> = { event: undefined, resync: undefined };
  /** Keys that are processed, with the priority of an addition that came meanwhile. */
  readonly #active = new Map<string, { again: Priority | undefined; readonly sinceMs: number }>();
  #delays: Map<string, AbortController> | undefined;
  #failures: Map<string, number> | undefined;
  /** While `idle` or `drained` is waited for. */
  #untilIdle: PromiseWithResolvers<void> | undefined;
  #taken = 0;
  #woken = false;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  /** Keys that wait for a worker. */
  get depths(): Readonly<Record<Priority, number>> {
    const resync = [...this.#waiting.values()].filter(({ priority }) => priority === "resync").length;
    return { event: this.#waiting.size - resync, resync };
  }

  /** Keys that are processed, delayed or waiting: zero when everything has been done. */
  get pending(): number {
    return this.#waiting.size + this.#active.size + (this.#delays?.size ?? 0);
  }

  /** Seconds for which each key in process has been processed. */
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
      // Its entry among the resyncs is skipped when its turn comes.
      waiting.priority = "event";
    } else {
      this.#waiting.set(key, { priority, sinceMs: this.#options.clock.monotonicMs() });
      this.#options.observer?.added();
    }
    this.#order[priority] ??= new Fifo();
    this.#order[priority].push(key);
    this.#wake();
  }

  /** Adds the key after a delay, unless it is processed before. */
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

  /** Resolves when no key is processed or waits; what is due later may remain. */
  async idle(): Promise<void> {
    const { signal } = this.#options;
    // Only for as long as this waits: a process may have thousands of queues with one signal.
    const onAbort = () => this.#reportIdle();
    signal.addEventListener("abort", onAbort, { once: true });
    while (this.#active.size > 0 || (this.#waiting.size > 0 && !signal.aborted)) {
      this.#untilIdle ??= Promise.withResolvers();
      await this.#untilIdle.promise;
    }
    signal.removeEventListener("abort", onAbort);
  }

  /** For when the signal has aborted: drops what waits and is due later, and resolves when nothing is processed any more. */
  async drained(): Promise<void> {
    for (const delay of this.#delays?.values() ?? []) delay.abort();
    this.#delays = undefined;
    this.#waiting.clear();
    this.#failures = undefined;
    this.#reportIdle();
    await this.idle();
  }

  /** In a turn of its own, so that keys which the same turn adds again are processed once. */
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
      // Idle queues are many.
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

  /** One call; gives the milliseconds until the next, `undefined` when the key can rest. */
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
