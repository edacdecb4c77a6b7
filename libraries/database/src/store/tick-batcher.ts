/** Sends several queries in one request. Returns the results in the order of the queries. */
export type Ask<Q, A> = (questions: readonly Q[], signal: AbortSignal) => Promise<readonly A[]>;

/**
 * Time in ms after which a slow batch no longer delays the next one. Normally only one batch runs at a time, and the next batch
 * collects queries in the meantime.
 */
const usualMs = 20;
/** Maximum number of concurrent batches, including slow ones. */
const maxActive = 4;
const maxQuestions = 200;

/**
 * Combines the queries of one event loop iteration into one request. Queries with the same key are sent once. The request is sent
 * after the iteration. Each result therefore includes all data that was committed before the call. If one caller aborts, only the
 * call of this caller rejects, and it rejects immediately. The request is aborted when all of its callers have aborted.
 */
export class TickBatcher<Q, A> {
  readonly #ask: Ask<Q, A>;
  #waiting: Batch<Q, A>[] = [];
  #active = 0;
  /** Number of active batches that exceed `usualMs`. */
  #late = 0;
  #scheduled = false;

  constructor(ask: Ask<Q, A>) {
    this.#ask = ask;
  }

  /** Adds a query and returns its result. Queries with the same key must be equal. */
  get(key: string, question: Q, signal: AbortSignal): Promise<A> {
    signal.throwIfAborted();
    let batch = this.#waiting.at(-1);
    if (!batch || batch.size >= maxQuestions) {
      batch = new Batch();
      this.#waiting.push(batch);
    }
    this.#schedule();
    return batch.add(key, question, signal);
  }

  /** Schedules the next batch after the current event loop iteration, so that it includes all queries of the iteration. */
  #schedule(): void {
    if (this.#scheduled || this.#waiting.length === 0 || !this.#mayStart()) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      const batch = this.#waiting.shift();
      if (batch) void this.#run(batch);
      this.#schedule();
    });
  }

  #mayStart(): boolean {
    return this.#active === this.#late && this.#active < maxActive;
  }

  async #run(batch: Batch<Q, A>): Promise<void> {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.#late++;
      this.#schedule();
    }, usualMs);
    this.#active++;
    await batch.run(this.#ask);
    clearTimeout(timer);
    this.#active--;
    if (late) this.#late--;
    this.#schedule();
  }
}

interface Waiter<A> {
  readonly index: number;
  readonly resolve: (response: A) => void;
  readonly reject: (reason: unknown) => void;
}

class Batch<Q, A> {
  readonly #questions: Q[] = [];
  readonly #indexes = new Map<string, number>();
  /** Waiting callers by signal. Callers often share a signal, and one listener per signal is sufficient. */
  readonly #waiters = new Map<AbortSignal, Set<Waiter<A>>>();
  readonly #listeners = new Map<AbortSignal, () => void>();
  /**
   * Set while the request is active. New callers can join a batch that has not started, even if all earlier callers have left.
   */
  #request: AbortController | undefined;

  get size(): number {
    return this.#questions.length;
  }

  add(key: string, question: Q, signal: AbortSignal): Promise<A> {
    let index = this.#indexes.get(key);
    if (index === undefined) {
      index = this.#questions.push(question) - 1;
      this.#indexes.set(key, index);
    }
    const { promise, resolve, reject } = Promise.withResolvers<A>();
    this.#waitersOf(signal).add({ index, resolve, reject });
    return promise;
  }

  /** Runs the batch and settles all callers. Never rejects. */
  async run(ask: Ask<Q, A>): Promise<void> {
    if (this.#waiters.size === 0) return;
    this.#request = new AbortController();
    try {
      const responses = await ask(this.#questions, this.#request.signal);
      for (const { index, resolve, reject } of this.#all()) {
        const response = responses[index];
        if (response === undefined) reject(new Error("a result of the batch is missing"));
        else resolve(response);
      }
    } catch (error) {
      for (const { reject } of this.#all()) reject(error);
    } finally {
      for (const [signal, listener] of this.#listeners) signal.removeEventListener("abort", listener);
    }
  }

  *#all(): Iterable<Waiter<A>> {
    for (const waiters of this.#waiters.values()) yield* waiters;
  }

  #waitersOf(signal: AbortSignal): Set<Waiter<A>> {
    const known = this.#waiters.get(signal);
    if (known) return known;
    const waiters = new Set<Waiter<A>>();
    const listener = () => {
      this.#waiters.delete(signal);
      for (const { reject } of waiters) reject(signal.reason);
      if (this.#waiters.size === 0) this.#request?.abort(signal.reason);
    };
    signal.addEventListener("abort", listener, { once: true });
    this.#waiters.set(signal, waiters);
    this.#listeners.set(signal, listener);
    return waiters;
  }
}
