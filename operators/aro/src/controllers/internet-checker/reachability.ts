/** State of one URL. */
interface Try {
  readonly failures: number;
  /** Cause of the last failure. `undefined` after a response. */
  readonly error: string | undefined;
  readonly done: boolean;
}

/** Attempts for a URL before it counts as unreachable. */
export const maxAttempts = 6;

/**
 * One round of attempts. A URL is finished after a response or six failures. A changed URL list or proxy
 * starts a new round.
 */
export class Reachability {
  /** URL list and proxy of the round, as a key. */
  readonly subject: string;
  readonly #tries: Map<string, Try>;

  constructor(subject: string, urls: readonly string[]) {
    this.subject = subject;
    this.#tries = new Map(urls.map((url) => [url, { failures: 0, error: undefined, done: false }]));
  }

  /** URLs that need a further attempt. */
  get open(): readonly string[] {
    return [...this.#tries].filter(([, each]) => !each.done).map(([url]) => url);
  }

  record(url: string, error: string | undefined): void {
    const before = this.#tries.get(url);
    if (!before) return;
    const failures = before.failures + (error === undefined ? 0 : 1);
    this.#tries.set(url, { failures, error, done: error === undefined || failures >= maxAttempts });
  }

  /** A line for each URL that cannot be reached, in the order of the URLs' names. */
  get failures(): readonly string[] {
    return [...this.#tries]
      .filter(([, { error }]) => error !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([url, { error }]) => `${url}: ${error}`);
  }
}
