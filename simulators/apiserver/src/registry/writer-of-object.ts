import { timeLimit, untilAborted } from "@keelson/base";

/**
 * Maximum wait of a writer in milliseconds. The maximum prevents a deadlock if the previous writer waits for a further write of
 * the object.
 */
const maxWaitMs = 1_000;

/** Promise that resolves when the last queued writer is done, by store and object key. */
const queues = new WeakMap<object, Map<string, Promise<void>>>();

/**
 * Serializes the writers of one object after a conflict, because N writers that retry concurrently would need N² attempts. A
 * writer without concurrent writers does not wait.
 */
export class WriterOfObject implements Disposable {
  readonly #others: Map<string, Promise<void>>;
  readonly #object: string;
  #leave: (() => void) | undefined;

  /** `object` is the key of the object in its store. */
  constructor(store: object, object: string) {
    this.#others = queues.get(store) ?? new Map();
    queues.set(store, this.#others);
    this.#object = object;
  }

  /** Waits until this writer may make an attempt. The first attempt waits only if other writers are queued. */
  async turn(attempt: number): Promise<void> {
    if (this.#leave) return;
    const before = this.#others.get(this.#object);
    if (attempt === 1 && before === undefined) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#others.set(this.#object, promise);
    this.#leave = () => {
      resolve();
      if (this.#others.get(this.#object) === promise) this.#others.delete(this.#object);
    };
    if (before) await untilAborted(before, timeLimit(maxWaitMs)).catch(() => undefined);
  }

  /**
   * Lets the next writer start. Called when this writer is done, and before it waits for a webhook, because the webhook may write
   * the object.
   */
  leave(): void {
    this.#leave?.();
    this.#leave = undefined;
  }

  [Symbol.dispose](): void {
    this.leave();
  }
}
