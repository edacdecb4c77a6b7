import type { Clock } from "@keelson/base";

const periodMs = 15 * 60_000;
/** Up to a third earlier or later: streams that fail together are not tried together for ever. */
const jitter = 1 / 3;

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

  /** Until the next is due; `undefined` when none fails. */
  get nextMs(): number | undefined {
    if (this.#due.size === 0) return undefined;
    return Math.max(0, Math.min(...this.#due.values()) - this.#clock.now().getTime());
  }
}
