import { type Clock, withTimeout } from "@keelson/base";
import { portalErrors } from "../errors/portal-errors.ts";
import type { Elevations } from "./elevations.ts";
import type { Login } from "./login.ts";
import type { SignOuts } from "./sign-outs.ts";

export interface PersonStreamsOptions {
  readonly signOuts: Pick<SignOuts, "ended">;
  readonly clock: Clock;
  /** Maximum number of open streams per person. */
  readonly most: number;
  /** Error message for further streams. */
  readonly refusal: string;
  /** Maximum duration of a stream in ms. Default: until the sign-in expires. */
  readonly maxMs?: number;
  /** Elevations of people. If this option is set, a stream of a person with an elevation also ends with the elevation. */
  readonly elevations?: Pick<Elevations, "ended"> | undefined;
}

/** One open stream of a person. */
export interface PersonStream {
  /** Aborts when the stream must end. */
  readonly signal: AbortSignal;
  /** Removes this stream from the open streams of the person. It may be called several times. */
  readonly release: () => void;
}

/**
 * Counts and limits the open streams of each person. A stream ends when the client disconnects, or when its maximum duration has
 * passed. A stream also ends when the person's sign-in or elevation ends.
 */
export class PersonStreams {
  readonly #options: PersonStreamsOptions;
  readonly #open = new Map<string, number>();

  constructor(options: PersonStreamsOptions) {
    this.#options = options;
  }

  /** @throws TooManyRequests */
  open({ login, signal }: { readonly login: () => Login; readonly signal: AbortSignal }): PersonStream {
    const { signOuts, elevations, clock, most, refusal, maxMs = Number.POSITIVE_INFINITY } = this.#options;
    const person = login();
    const { username, expires } = person;
    const count = this.#open.get(username) ?? 0;
    if (count >= most) throw portalErrors.TooManyRequests(refusal);
    this.#open.set(username, count + 1);
    const over = new AbortController();
    const elevatedUntil = elevations ? person.elevation?.until : undefined;
    const endMs = Math.min(expires.getTime(), elevatedUntil?.getTime() ?? Number.POSITIVE_INFINITY);
    const leftMs = Math.max(0, Math.min(maxMs, endMs - clock.now().getTime()));
    const ended = withTimeout(AbortSignal.any([signal, over.signal]), leftMs);
    let isOpen = true;
    const release = () => {
      if (!isOpen) return;
      isOpen = false;
      over.abort();
      const left = (this.#open.get(username) ?? 1) - 1;
      if (left > 0) this.#open.set(username, left);
      else this.#open.delete(username);
    };
    // Also releases the stream when the signal aborts, because the response may never be written.
    ended.addEventListener("abort", release, { once: true });
    void signOuts.ended(person, ended).then(() => over.abort());
    if (elevatedUntil) void elevations?.ended(person, ended).then(() => over.abort());
    return { signal: ended, release };
  }
}
