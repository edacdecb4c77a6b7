import type { Clock } from "@keelson/base";

const maxFactor = 3;

/**
 * Time limit for an installation without progress. The installation also fails after three times this limit, even if it makes
 * progress.
 */
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

  /** Records the current state. A state that differs from the previous state counts as progress. */
  observe(state: unknown): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#progressMs = this.#clock.monotonicMs();
  }

  /** True if one of the limits was exceeded and the installation must fail. */
  get isOver(): boolean {
    const nowMs = this.#clock.monotonicMs();
    return nowMs - this.#progressMs >= this.#limitMs || nowMs - this.#startedMs >= maxFactor * this.#limitMs;
  }
}
