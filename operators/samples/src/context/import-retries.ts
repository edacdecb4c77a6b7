import type { Clock } from "@keelson/base";

const periodMs = 15 * 60_000;
/** Of the period, earlier or later: streams that fail together are not tried together for ever. */
const jitter = 0.3;
/** What becomes due within this time is tried at once: a hundred streams do not ask for a hundred reconciliations. */
const gatherMs = 30_000;

/** When each failing imagestream is to be imported again: at once, then every quarter of an hour. */
export class ImportRetries {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #due = new Map<string, number>();

  constructor(clock: Clock, random: () => number = Math.random) {
    this.#clock = clock;
    this.#random = random;
  }

  isDue(stream: string): boolean {
    return (this.#due.get(stream) ?? 0) <= this.#clock.now().getTime();
  }

  tried(stream: string): void {
    const wait = periodMs * (1 + jitter * (2 * this.#random() - 1));
    this.#due.set(stream, this.#clock.now().getTime() + wait);
  }

  /** It is due again: the stream had changed, and its change comes next. */
  forget(stream: string): void {
    this.#due.delete(stream);
  }

  /** Forgets the streams that fail no more. */
  keepOnly(failing: ReadonlySet<string>): void {
    for (const stream of this.#due.keys()) if (!failing.has(stream)) this.#due.delete(stream);
  }

  /** When to check again; `undefined` when none fails. */
  get nextMs(): number | undefined {
    if (this.#due.size === 0) return undefined;
    return Math.max(gatherMs, Math.min(...this.#due.values()) - this.#clock.now().getTime());
  }
}
