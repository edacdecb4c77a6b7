import { type Clock, timeLimit } from "@keelson/base";
import { create, replace } from "@keelson/database";
import type { PortalSignOutDocument, ServiceDatabase } from "@keelson/model";
import {
  findGeneration,
  firstUseKey,
  generationIn,
  isSignedOut,
  kubeconfigSeconds,
  personKey,
  type SessionSignIn,
  signInKey,
} from "@keelson/portal-sessions";
import { portalErrors } from "../errors/portal-errors.ts";
import { type Login, loginMs } from "./login.ts";

export interface SignOutsOptions {
  readonly database: ServiceDatabase;
  readonly clock: Clock;
}

/** Maximum time in ms until a sign-out at a different portal takes effect in this process. */
const knownMs = 2_000;
/** Interval in ms at which a sign-in is checked during long requests, for example an event stream. */
const watchedEveryMs = 3_000;
const readMs = 10_000;
/** Maximum number of cached results of sign-in checks. The oldest results are removed. */
const mostKnown = 10_000;
/** Lifetime of a sign-out document in seconds. It is longer than the lifetime of every session that the sign-in opened. */
const ttlSeconds = loginMs / 1_000 + kubeconfigSeconds + 300;

interface State {
  readonly hasEnded: boolean;
  /** Generation of the sign-in. */
  readonly generation: number;
}

interface Check {
  readonly atMs: number;
  readonly state: Promise<State>;
}

/**
 * Sign-ins that ended before their expiry. All portals read them from the database, because the cookie of an ended sign-in can
 * still be decrypted until its expiry. If the database does not respond, requests are rejected. Generations, not times, determine
 * the order of a person's sign-ins and of the sign-outs of all sessions, because the clocks of portals differ.
 */
export class SignOuts {
  readonly #options: SignOutsOptions;
  readonly #known = new Map<string, Check>();

  constructor(options: SignOutsOptions) {
    this.#options = options;
  }

  /** Resolves to true if the sign-in was signed out, or if all of the person's sign-ins were ended after this sign-in started. */
  async has(login: Login): Promise<boolean> {
    return (await this.#state(login)).hasEnded;
  }

  /** Waits until the sign-in has ended or the signal aborts. */
  async ended(login: Login, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#options.clock.sleep(watchedEveryMs, signal).catch(() => undefined);
      // If the database does not respond, the state is unknown. The current request continues, but the next request of this
      // sign-in is rejected.
      if (!signal.aborted && (await this.has(login).catch(() => false))) return;
    }
  }

  /** Returns the generation for a sign-in of the person that starts now. */
  generationOf(username: string, signal: AbortSignal): Promise<number> {
    return findGeneration(this.#options.database, username, signal);
  }

  /**
   * Returns the sign-in data for a session that the person opens.
   * @throws Unauthenticated if the sign-in has ended
   */
  async sessionSignIn(login: Login): Promise<SessionSignIn> {
    const { hasEnded, generation } = await this.#state(login);
    if (hasEnded) throw portalErrors.Unauthenticated("The sign-in has ended. Sign in again.");
    return { signIn: signInKey(login.id), generation };
  }

  /** Ends one sign-in and its sessions. */
  async end({ id }: Login, signal: AbortSignal): Promise<void> {
    await this.#write(signInKey(id), () => ({ ttlSeconds }), signal);
    this.#known.delete(id);
  }

  /** Ends all current sign-ins and sessions of a person. */
  async endAllOf(username: string, signal: AbortSignal): Promise<void> {
    const next = (person: PortalSignOutDocument | undefined) => ({ generation: generationIn(person) + 1 });
    await this.#write(personKey(username), next, signal);
    this.#known.clear();
  }

  #state(login: Login): Promise<State> {
    const atMs = this.#options.clock.monotonicMs();
    const known = this.#known.get(login.id);
    if (known && atMs - known.atMs < knownMs) return known.state;
    const state = this.#read(login);
    this.#remember(login.id, { atMs, state });
    state.catch(() => this.#known.delete(login.id));
    return state;
  }

  #remember(id: string, check: Check): void {
    this.#known.delete(id);
    this.#known.set(id, check);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= mostKnown) break;
      this.#known.delete(oldest);
    }
  }

  async #read(login: Login): Promise<State> {
    const { portalSignOuts } = this.#options.database.collections;
    const signal = timeLimit(readMs);
    const [one, all] = await Promise.all(
      [signInKey(login.id), personKey(login.username)].map((key) => portalSignOuts.find(key, key, signal)),
    );
    const person = all?.document;
    if (login.generation === "first-use" && login.began.getTime() <= Date.parse(person?.before ?? ""))
      return { hasEnded: true, generation: generationIn(person) };
    const generation =
      login.generation === "first-use"
        ? await this.#generationAtFirstUse(login, person, signal)
        : login.generation;
    const hasEnded = one !== undefined || isSignedOut(person, { generation, at: login.began.toISOString() });
    return { hasEnded, generation: generation ?? generationIn(person) };
  }

  /**
   * Returns the generation that the person had when this sign-in was first used. The sign-in's cookie was created without a
   * database.
   */
  async #generationAtFirstUse(
    { id, expires }: Login,
    person: PortalSignOutDocument | undefined,
    signal: AbortSignal,
  ): Promise<number> {
    const { database, clock } = this.#options;
    const { portalSignOuts } = database.collections;
    const key = firstUseKey(id);
    for (;;) {
      const stored = await portalSignOuts.find(key, key, signal);
      if (stored) return stored.document.generation ?? 0;
      const now = clock.now();
      const document = {
        ...{ id: key, partitionKey: key, before: now.toISOString(), generation: generationIn(person) },
        ttlSeconds: Math.max(0, Math.ceil((expires.getTime() - now.getTime()) / 1_000)) + 300,
      };
      // A second portal may have created the document already. In this case, this write changes nothing.
      await database.commit(key, [create(portalSignOuts, document)], { signal });
    }
  }

  async #write(
    key: string,
    fieldsAfter: (before: PortalSignOutDocument | undefined) => Partial<PortalSignOutDocument>,
    signal: AbortSignal,
  ): Promise<void> {
    const { database, clock } = this.#options;
    const { portalSignOuts } = database.collections;
    // If a concurrent write has changed the document, the loop reads it again.
    for (;;) {
      const stored = await portalSignOuts.find(key, key, signal);
      const before = clock.now().toISOString();
      const document = { id: key, partitionKey: key, before, ...fieldsAfter(stored?.document) };
      const write = stored ? replace(portalSignOuts, stored, document) : create(portalSignOuts, document);
      const { kind } = await database.commit(key, [write], { signal });
      if (kind === "committed") return;
    }
  }
}
