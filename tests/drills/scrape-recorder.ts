import { setTimeout as delay } from "node:timers/promises";
import { request } from "undici";

/** Scraped process. */
export interface Target {
  /** Job of the documented scrape configuration, for example `keelson-rp`. */
  readonly job: string;
  readonly instance: string;
  /** URL of `/metrics`. */
  readonly url: string;
}

/** Recorded values of all scrapes. If a scrape has no value for a series, the entry for this scrape is `undefined`. */
export interface Recording {
  /** Time of the first scrape in seconds since 1970. */
  readonly startSeconds: number;
  readonly scrapes: number;
  /** Values by series, for example `up{job="keelson-rp",instance="1"}`. */
  readonly series: ReadonlyMap<string, readonly (string | undefined)[]>;
}

/** Line of the Prometheus text format: name, labels and value. */
const sample = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/;

/**
 * Time limit of a scrape in ms. It is longer than the interval of the recording, because a slow response on a busy machine is not a
 * process that is down. Prometheus has a limit of 10 s.
 */
const scrapeLimitMs = 5_000;

/** Scrapes processes like Prometheus, and records the metrics that the alert rules use. */
export class ScrapeRecorder implements AsyncDisposable {
  readonly #everyMs: number;
  readonly #metrics: ReadonlySet<string>;
  #targets: readonly Target[] = [];
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #startSeconds = 0;
  #scrapes = 0;
  #series = new Map<string, (string | undefined)[]>();

  constructor(options: { readonly everyMs: number; readonly metrics: ReadonlySet<string> }) {
    this.#everyMs = options.everyMs;
    this.#metrics = options.metrics;
    this.#running = this.#run();
  }

  /** Discards all recorded values and scrapes these targets from now on. */
  restart(targets: readonly Target[]): void {
    this.#targets = targets;
    this.#startSeconds = Date.now() / 1_000;
    this.#scrapes = 0;
    this.#series = new Map();
  }

  /** Replaces the targets, like service discovery after a change of the machines. */
  use(targets: readonly Target[]): void {
    this.#targets = targets;
  }

  get recording(): Recording {
    const scrapes = this.#scrapes;
    const series = new Map([...this.#series].map(([name, values]) => [name, values.slice(0, scrapes)]));
    return { startSeconds: this.#startSeconds, scrapes, series };
  }

  /** True if a series of the metric had a value in the last scrape. */
  has(metric: string): boolean {
    const at = this.#scrapes - 1;
    return [...this.#series].some(
      ([name, values]) => name.startsWith(`${metric}{`) && values[at] !== undefined,
    );
  }

  /** Waits for this number of further scrapes. */
  async scraped(count: number): Promise<void> {
    for (const wanted = this.#scrapes + count; this.#scrapes < wanted; ) await delay(20);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const series = this.#series;
      const at = this.#scrapes;
      const pause = delay(this.#everyMs, undefined, { signal }).catch(() => undefined);
      await Promise.all(this.#targets.map((target) => this.#scrape(target, series, at)));
      // If `restart` was called during the scrape, the scrape's values are discarded.
      if (series === this.#series) this.#scrapes++;
      await pause;
    }
  }

  async #scrape(target: Target, series: Map<string, (string | undefined)[]>, at: number): Promise<void> {
    const labels = `job="${target.job}",instance="${target.instance}"`;
    const record = (name: string, value: string) => {
      const values = series.get(name) ?? [];
      values[at] = value;
      series.set(name, values);
    };
    const text = await read(target.url, scrapeLimitMs);
    record(`up{${labels}}`, text === undefined ? "0" : "1");
    for (const line of text?.split("\n") ?? []) {
      const [, name = "", own, value = ""] = sample.exec(line) ?? [];
      if (this.#metrics.has(name)) record(`${name}{${own ? `${own},` : ""}${labels}}`, value);
    }
  }
}

/** Returns the metrics of a process. Returns `undefined` if the process does not respond in time. */
async function read(url: string, limitMs: number): Promise<string | undefined> {
  try {
    const { statusCode, body } = await request(url, { signal: AbortSignal.timeout(limitMs) });
    const text = await body.text();
    return statusCode === 200 ? text : undefined;
  } catch {
    return undefined;
  }
}
