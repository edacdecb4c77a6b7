import { type Clock, withTimeout } from "@keelson/base";
import type { ServiceDatabase } from "@keelson/model";

export interface OpenSessionsOptions {
  readonly database: ServiceDatabase;
  readonly clock: Clock;
}

const checkEveryMs = 15_000;
const lookUpMs = 10_000;

interface Running {
  count: number;
  readonly ended: AbortController;
  readonly idle: AbortController;
}

/**
 * The sessions that have requests under way. While they have, it is checked again and again that they are not over or revoked:
 * a watch would outlive its session otherwise.
 */
export class OpenSessions {
  readonly #options: OpenSessionsOptions;
  readonly #running = new Map<string, Running>();

  constructor(options: OpenSessionsOptions) {
    this.#options = options;
  }

  /** How many requests of a session are under way. */
  count(id: string): number {
    return this.#running.get(id)?.count ?? 0;
  }

  /** `ended` aborts when the session has ended; `release` is called once, when the request has. */
  begin(id: string): { readonly ended: AbortSignal; readonly release: () => void } {
    const running = this.#running.get(id) ?? this.#start(id);
    running.count += 1;
    return {
      ended: running.ended.signal,
      release: () => {
        running.count -= 1;
        if (running.count > 0) return;
        running.idle.abort();
        if (this.#running.get(id) === running) this.#running.delete(id);
      },
    };
  }

  /** Ends all of them. */
  stop(): void {
    for (const { ended } of this.#running.values()) ended.abort();
  }

  #start(id: string): Running {
    const running = { count: 0, ended: new AbortController(), idle: new AbortController() };
    this.#running.set(id, running);
    void this.#check(id, running);
    return running;
  }

  async #check(id: string, { ended, idle }: Running): Promise<void> {
    const { database, clock } = this.#options;
    const stopped = AbortSignal.any([ended.signal, idle.signal]);
    const { portalSessions } = database.collections;
    while (!stopped.aborted) {
      await clock.sleep(checkEveryMs, stopped).catch(() => undefined);
      if (stopped.aborted) return;
      // A database that does not answer says nothing of the session.
      const isThere = await portalSessions.find(id, id, withTimeout(stopped, lookUpMs)).then(
        (stored) => stored !== undefined,
        () => true,
      );
      if (!isThere) ended.abort();
    }
  }
}
