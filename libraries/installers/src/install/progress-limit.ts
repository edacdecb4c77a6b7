import type { Clock } from "@keelson/base";

const maxFactor = 3;

/** Time limit of an install. The install fails after this time without progress, or after three times this time in total. */
export class ProgressLimit {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #startedMs: number;
  #progressMs: number;
  #state: unknown;

  constructor(clock: Clock, limitMs: number) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.#startedMs = clock.monotonicMs();
    this.#progressMs = this.#startedMs;
  }

  /** Records a state. A different state counts as progress. */
  observe(state: unknown): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#progressMs = this.#clock.monotonicMs();
  }

  /** True if a limit was exceeded and the install must fail. */
  get isOver(): boolean {
    const nowMs = this.#clock.monotonicMs();
    return nowMs - this.#progressMs >= this.#limitMs || nowMs - this.#startedMs >= maxFactor * this.#limitMs;
  }
}
