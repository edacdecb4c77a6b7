import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "@keelson/base";

const validMs = 15 * 60_000;
/** Maximum number of unused links. A further link invalidates the oldest link. */
const maxLinks = 32;

export interface OneTimeLink {
  readonly token: string;
  readonly expires: Date;
}

/** Tokens of one-time sign-in links. Only their hashes are stored in memory. */
export class OneTimeLinks {
  readonly #clock: Clock;
  /** Expiry times in milliseconds by token hash, oldest first. */
  readonly #pending = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  create(): OneTimeLink {
    const token = randomBytes(32).toString("base64url");
    const expiresMs = this.#clock.now().getTime() + validMs;
    this.#pending.set(hashOf(token), expiresMs);
    for (const oldest of this.#pending.keys()) {
      if (this.#pending.size <= maxLinks) break;
      this.#pending.delete(oldest);
    }
    return { token, expires: new Date(expiresMs) };
  }

  /** Returns true for the first use of a valid token. */
  redeem(token: string): boolean {
    const hash = hashOf(token);
    const expiresMs = this.#pending.get(hash);
    this.#pending.delete(hash);
    return expiresMs !== undefined && this.#clock.now().getTime() < expiresMs;
  }
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
