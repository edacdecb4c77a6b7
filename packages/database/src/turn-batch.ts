/** Answers questions together; the answers are in the order of the questions. */
export type Ask<Q, A> = (questions: readonly Q[], signal: AbortSignal) => Promise<readonly A[]>;

/** One batch at a time: what comes meanwhile makes the next one larger. One that takes longer holds nobody up. */
const usualMs = 20;
/** More batches than this are never under way at once. */
const maxUnderWay = 4;
const maxQuestions = 200;

/**
 * Asks together what is asked within one turn of the event loop, and only once what is asked several times. Each
 * question is sent after it was put, so its answer has everything that was true by then.
 *
 * An abort ends the wait of its caller alone; the batch is aborted when nobody waits for it any more.
 */
export class TurnBatch<Q, A> {
  readonly #ask: Ask<Q, A>;
  #waiting: Batch<Q, A>[] = [];
  #underWay = 0;
  /** How many of those under way take longer than usual. */
  #late = 0;
  #scheduled = false;

  constructor(ask: Ask<Q, A>) {
    this.#ask = ask;
  }

  /** Questions with the same key are the same. */
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

  /** What arrived with this turn's input is put by then. */
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
    return this.#underWay === this.#late && this.#underWay < maxUnderWay;
  }

  async #run(batch: Batch<Q, A>): Promise<void> {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.#late++;
      this.#schedule();
    }, usualMs);
    this.#underWay++;
    await batch.run(this.#ask);
    clearTimeout(timer);
    this.#underWay--;
    if (late) this.#late--;
    this.#schedule();
  }
}

interface Waiter<A> {
  readonly index: number;
  readonly resolve: (answer: A) => void;
  readonly reject: (reason: unknown) => void;
}

class Batch<Q, A> {
  readonly #questions: Q[] = [];
  readonly #indexes = new Map<string, number>();
  /** Requests that began together share a signal, so there are few. */
  readonly #waiters = new Map<AbortSignal, Set<Waiter<A>>>();
  readonly #listeners = new Map<AbortSignal, () => void>();
  readonly #nobodyWaits = new AbortController();

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

  /** Settles everybody; never rejects. */
  async run(ask: Ask<Q, A>): Promise<void> {
    try {
      const { signal } = this.#nobodyWaits;
      if (signal.aborted) return;
      const answers = await ask(this.#questions, signal);
      for (const { index, resolve, reject } of this.#all()) {
        const answer = answers[index];
        if (answer === undefined) reject(new Error("a batch came back without one of its answers"));
        else resolve(answer);
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
      if (this.#waiters.size === 0) this.#nobodyWaits.abort(signal.reason);
    };
    signal.addEventListener("abort", listener, { once: true });
    this.#waiters.set(signal, waiters);
    this.#listeners.set(signal, listener);
    return waiters;
  }
}
