import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "@keelson/base";

const validMs = 12 * 3_600_000;
/** Maximum number of sessions. A further session ends the oldest session. */
const maxSessions = 32;

export interface Session {
  /** Required value of the `X-CSRF-Token` header of write requests. */
  readonly csrf: string;
  readonly expires: Date;
}

export interface NewSession extends Session {
  /** Value of the session cookie. */
  readonly id: string;
}

/** Sessions of signed-in browsers. A restart of the process ends all sessions. */
export class Sessions {
  readonly #clock: Clock;
  /** Sessions by the hash of their cookie, oldest first. */
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
