import { timeLimit, untilAborted } from "@keelson/base";

/** What a writer waits for may itself write the object, and is not held up for ever. */
const maxWaitMs = 1_000;

/** By store, then by object: when the last of those that wait is done. */
const queues = new WeakMap<object, Map<string, Promise<void>>>();

/**
 * The writers of one object one after the other, once one was overtaken: each that begins again on what another left is
 * overtaken by the next otherwise, and N of them take N² attempts. A writer that is alone waits for nothing.
 */
export class WriterOfObject implements Disposable {
  readonly #others: Map<string, Promise<void>>;
  readonly #object: string;
  #leave: (() => void) | undefined;

  /** `object` names it within its store. */
  constructor(store: object, object: string) {
    this.#others = queues.get(store) ?? new Map();
    queues.set(store, this.#others);
    this.#object = object;
  }

  /** Before each attempt. Resolves at once for the first one while no other writer was overtaken. */
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

  /** Lets the next writer begin: when this one is done, or waits for what may write the object too, such as a webhook. */
  leave(): void {
    this.#leave?.();
    this.#leave = undefined;
  }

  [Symbol.dispose](): void {
    this.leave();
  }
}
