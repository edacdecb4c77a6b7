import { backoffMs, type Logger, messageOf, systemClock } from "@keelson/base";
import type { Change } from "../documents/database.ts";

/** Maximum number of buffered changes per subscriber. If the number is exceeded, one `resync` replaces all buffered changes. */
export const maxWaiting = 1_000;

const reconnect = { attempts: Number.POSITIVE_INFINITY, firstMs: 100, factor: 2, maxMs: 10_000, jitter: 0.2 };

export interface ChangeListener {
  /** Called when listening has started. Later changes are passed to `changed`. */
  listening(): void;
  changed(change: Change): void;
}

/** Listens for changes. Resolves when the signal aborts. Throws when the connection is lost. */
export type Listen = (listener: ChangeListener, signal: AbortSignal) => Promise<void>;

/**
 * Distributes the changes of a store to its subscribers. Listening starts with the first subscriber. After a lost connection,
 * each subscriber gets a `resync`.
 */
export class ChangeFeed implements AsyncDisposable {
  readonly #listen: Listen;
  readonly #logger: Logger;
  readonly #subscribers = new Set<Subscriber>();
  readonly #stop = new AbortController();
  #listening = false;
  #running: Promise<void> | undefined;

  constructor(listen: Listen, logger: Logger) {
    this.#listen = listen;
    this.#logger = logger;
  }

  async *subscribe(signal: AbortSignal): AsyncGenerator<Change, void, void> {
    const ended = AbortSignal.any([signal, this.#stop.signal]);
    if (ended.aborted) return;
    const subscriber = new Subscriber(ended);
    this.#subscribers.add(subscriber);
    try {
      this.#running ??= this.#run();
      if (this.#listening) subscriber.push({ kind: "resync" });
      yield* subscriber.changes();
    } finally {
      this.#subscribers.delete(subscriber);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const signal = this.#stop.signal;
    for (let attempt = 1; !signal.aborted; attempt++) {
      try {
        const listening = () => {
          attempt = 1;
          this.#listening = true;
          this.#broadcast({ kind: "resync" });
        };
        const changed = (change: Change) => this.#broadcast(change);
        await this.#listen({ listening, changed }, signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#logger.warn({ reason: messageOf(error), attempt }, "change feed lost its connection");
      }
      this.#listening = false;
      await systemClock.sleep(backoffMs(reconnect, attempt), signal).catch(() => {});
    }
  }

  #broadcast(change: Change): void {
    for (const subscriber of this.#subscribers) subscriber.push(change);
  }
}

class Subscriber {
  readonly #signal: AbortSignal;
  #waiting: Change[] = [];
  #wake: (() => void) | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  push(change: Change): void {
    // A `resync` replaces all buffered changes.
    if (change.kind === "resync" || this.#waiting.length >= maxWaiting) this.#waiting = [{ kind: "resync" }];
    else this.#waiting.push(change);
    this.#wake?.();
  }

  async *changes(): AsyncGenerator<Change, void, void> {
    const wake = () => this.#wake?.();
    this.#signal.addEventListener("abort", wake);
    try {
      while (!this.#signal.aborted) {
        const change = this.#waiting.shift();
        if (change) yield change;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.#signal.removeEventListener("abort", wake);
    }
  }
}
