/** What is known of one URL. */
interface Try {
  readonly failures: number;
  /** Why the last attempt failed; `undefined` once something answered. */
  readonly error: string | undefined;
  readonly done: boolean;
}

/** Attempts for a URL before it counts as unreachable. */
export const maxAttempts = 6;

/**
 * One round of attempts: a URL is settled when something answered, or after six failures. Another list of URLs, or another
 * proxy, is another round.
 */
export class Reachability {
  /** What the round is about. */
  readonly subject: string;
  readonly #tries: Map<string, Try>;

  constructor(subject: string, urls: readonly string[]) {
    this.subject = subject;
    this.#tries = new Map(urls.map((url) => [url, { failures: 0, error: undefined, done: false }]));
  }

  /** The URLs that need another attempt. */
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
