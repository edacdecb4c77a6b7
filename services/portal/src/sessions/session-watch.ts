import { type Clock, withTimeout } from "@keelson/base";
import type { ServiceDatabase } from "@keelson/model";
import { findUsableSession } from "./usable-session.ts";

export interface SessionWatchOptions {
  readonly database: ServiceDatabase;
  readonly clock: Clock;
}

const checkEveryMs = 5_000;
const lookUpMs = 30_000;
/** Time in ms for which the state of a session may be unknown. After this time, the session counts as ended. */
const unknownMs = 60_000;

/** Use of a session by one request or connection. */
export interface SessionUse {
  /** Aborts when the session has ended. */
  readonly ended: AbortSignal;
  /** Ends the use. Call it once when the request or connection has ended. */
  readonly release: () => void;
}

interface Watched {
  count: number;
  readonly ended: AbortController;
  readonly idle: AbortController;
}

/**
 * Watches sessions with open requests or connections. Each portal reads the state of these sessions every five seconds. When a
 * session or the elevation that it needs ends, its requests and connections end within fifteen seconds.
 */
export class SessionWatch {
  readonly #options: SessionWatchOptions;
  readonly #watched = new Map<string, Watched>();

  constructor(options: SessionWatchOptions) {
    this.#options = options;
  }

  /** Returns the number of requests and connections that currently use a session. */
  count(id: string): number {
    return this.#watched.get(id)?.count ?? 0;
  }

  /**
   * Registers that a request or connection uses a session. `elevatedUntil` is the expiry time of the elevation that the session
   * needs. It limits the use if the database does not respond.
   */
  begin(id: string, elevatedUntil: Date | undefined): SessionUse {
    const watched = this.#watched.get(id) ?? this.#start(id, elevatedUntil);
    watched.count += 1;
    return {
      ended: watched.ended.signal,
      release: () => {
        watched.count -= 1;
        if (watched.count > 0) return;
        watched.idle.abort();
        if (this.#watched.get(id) === watched) this.#watched.delete(id);
      },
    };
  }

  #start(id: string, elevatedUntil: Date | undefined): Watched {
    const watched = { count: 0, ended: new AbortController(), idle: new AbortController() };
    this.#watched.set(id, watched);
    void this.#ended(id, elevatedUntil, watched.idle.signal).then(() => {
      if (this.#watched.get(id) === watched) this.#watched.delete(id);
      watched.ended.abort();
    });
    return watched;
  }

  /** Waits until the session has ended or is no longer in use. */
  async #ended(id: string, elevatedUntil: Date | undefined, idle: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    let knownMs = clock.monotonicMs();
    let until = elevatedUntil?.getTime() ?? Number.POSITIVE_INFINITY;
    for (;;) {
      await clock.sleep(checkEveryMs, idle).catch(() => undefined);
      if (idle.aborted) return;
      // A slow read must not extend the session beyond the last known expiry of its elevation.
      const leftMs = Math.max(0, until - clock.now().getTime()) + checkEveryMs;
      const reading = withTimeout(idle, Math.min(lookUpMs, leftMs));
      // If the read fails, the state of the session is unknown.
      const state = await findUsableSession(this.#options, id, reading).then(
        (usable) => usable ?? "ended",
        () => "unknown" as const,
      );
      if (state === "ended") return;
      if (state === "unknown") {
        if (clock.now().getTime() >= until || clock.monotonicMs() - knownMs >= unknownMs) return;
        continue;
      }
      knownMs = clock.monotonicMs();
      until = state.elevatedUntil?.getTime() ?? Number.POSITIVE_INFINITY;
    }
  }
}
