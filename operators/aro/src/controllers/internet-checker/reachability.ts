/** Attempts for one URL. */
interface Try {
  readonly failures: number;
  /** Cause of the last failure. `undefined` after a successful response. */
  readonly error: string | undefined;
  readonly done: boolean;
}

/** Number of failed attempts after which a URL is reported as unreachable. */
export const maxAttempts = 6;

/**
 * Series of attempts for all URLs. A URL is finished after a response or six failures. A changed URL list or proxy starts a new
 * series.
 */
export class Reachability {
  /** Key of the series: its URL list and proxy. */
  readonly subject: string;
  readonly #tries: Map<string, Try>;

  constructor(subject: string, urls: readonly string[]) {
    this.subject = subject;
    this.#tries = new Map(urls.map((url) => [url, { failures: 0, error: undefined, done: false }]));
  }

  /** Returns the URLs that need a further attempt. */
  get open(): readonly string[] {
    return [...this.#tries].filter(([, each]) => !each.done).map(([url]) => url);
  }

  record(url: string, error: string | undefined): void {
    const before = this.#tries.get(url);
    if (!before) return;
    const failures = before.failures + (error === undefined ? 0 : 1);
    this.#tries.set(url, { failures, error, done: error === undefined || failures >= maxAttempts });
  }

  /** Returns one line for each unreachable URL, sorted by URL name. */
  get failures(): readonly string[] {
    return [...this.#tries]
      .filter(([, { error }]) => error !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([url, { error }]) => `${url}: ${error}`);
  }
}
