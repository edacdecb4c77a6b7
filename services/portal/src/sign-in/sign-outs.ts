import { createHash } from "node:crypto";
import { type Clock, timeLimit } from "@keelson/base";
import { create, replace } from "@keelson/database";
import type { ServiceDatabase } from "@keelson/model";
import { type Login, loginMs } from "./login.ts";

export interface SignOutsOptions {
  readonly database: ServiceDatabase;
  readonly clock: Clock;
}

/** For so long a sign-out of another portal may not be known here. */
const knownMs = 2_000;
/** Of a sign-in whose requests go on, such as a stream of events. */
const watchedEveryMs = 3_000;
const readMs = 10_000;
/** Sign-ins whose last check is remembered; the oldest are forgotten. */
const mostKnown = 10_000;
/** Longer than any sign-in that began before it. */
const ttlSeconds = loginMs / 1_000 + 300;

interface Check {
  readonly atMs: number;
  readonly hasEnded: Promise<boolean>;
}

/**
 * Sign-ins that ended before their time. A cookie stays readable for an hour, and so do copies of it: what was ended is in the
 * database, for all portals. A database that does not answer lets no one in.
 */
export class SignOuts {
  readonly #options: SignOutsOptions;
  readonly #known = new Map<string, Check>();

  constructor(options: SignOutsOptions) {
    this.#options = options;
  }

  /** Whether a sign-in has ended: it was signed out, or all of its person were after it had begun. */
  has(login: Login): Promise<boolean> {
    const atMs = this.#options.clock.monotonicMs();
    const known = this.#known.get(login.id);
    if (known && atMs - known.atMs < knownMs) return known.hasEnded;
    const hasEnded = this.#read(login);
    this.#remember(login.id, { atMs, hasEnded });
    hasEnded.catch(() => this.#known.delete(login.id));
    return hasEnded;
  }

  /** Resolves when a sign-in has ended; on abort, too. */
  async ended(login: Login, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#options.clock.sleep(watchedEveryMs, signal).catch(() => undefined);
      // A database that does not answer says nothing of it: the next request is refused, this one goes on.
      if (!signal.aborted && (await this.has(login).catch(() => false))) return;
    }
  }

  /** Ends one sign-in. */
  async end({ id }: Login, signal: AbortSignal): Promise<void> {
    await this.#write(signInKey(id), signal);
    this.#known.delete(id);
  }

  /** Ends all sign-ins of a person that have begun so far. */
  async endAllOf(username: string, signal: AbortSignal): Promise<void> {
    await this.#write(personKey(username), signal);
    this.#known.clear();
  }

  #remember(id: string, check: Check): void {
    this.#known.delete(id);
    this.#known.set(id, check);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= mostKnown) break;
      this.#known.delete(oldest);
    }
  }

  async #read(login: Login): Promise<boolean> {
    const { portalSignOuts } = this.#options.database.collections;
    const signal = timeLimit(readMs);
    const [one, all] = await Promise.all(
      [signInKey(login.id), personKey(login.username)].map((key) => portalSignOuts.find(key, key, signal)),
    );
    const before = Date.parse(all?.document.before ?? "");
    return one !== undefined || login.began.getTime() <= before;
  }

  async #write(key: string, signal: AbortSignal): Promise<void> {
    const { database, clock } = this.#options;
    const { portalSignOuts } = database.collections;
    const document = { id: key, partitionKey: key, ttlSeconds, before: clock.now().toISOString() };
    // Who was first may have meant an earlier time.
    for (;;) {
      const stored = await portalSignOuts.find(key, key, signal);
      const write = stored ? replace(portalSignOuts, stored, document) : create(portalSignOuts, document);
      const { kind } = await database.commit(key, [write], { signal });
      if (kind === "committed") return;
    }
  }
}

const signInKey = (id: string) => hashOf(`sign-in ${id}`);
const personKey = (username: string) => hashOf(`person ${username.toLowerCase()}`);

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
