import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "@keelson/base";

const validMs = 12 * 3_600_000;
/** A new session beyond this number ends the oldest one. */
const maxSessions = 32;

export interface Session {
  /** Value of the header `X-CSRF-Token` of each request that changes something. */
  readonly csrf: string;
  readonly expires: Date;
}

export interface NewSession extends Session {
  /** Value of the cookie. */
  readonly id: string;
}

/** Signed-in browsers. A restart of the process ends all sessions. */
export class Sessions {
  readonly #clock: Clock;
  /** Sessions by hash of the cookie, oldest first. */
  readonly #sessions = new Map<string, Session>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  open(): NewSession {
    const id = randomBytes(32).toString("base64url");
    const csrf = randomBytes(32).toString("base64url");
    const session = { csrf, expires: new Date(this.#clock.now().getTime() + validMs) };
    this.#sessions.set(hashOf(id), session);
    for (const oldest of this.#sessions.keys()) {
      if (this.#sessions.size <= maxSessions) break;
      this.#sessions.delete(oldest);
    }
    return { id, ...session };
  }

  find(id: string): Session | undefined {
    const session = this.#sessions.get(hashOf(id));
    return session && this.#clock.now() < session.expires ? session : undefined;
  }

  close(id: string): void {
    this.#sessions.delete(hashOf(id));
  }
}

function hashOf(id: string): string {
  return createHash("sha256").update(id).digest("base64url");
}
