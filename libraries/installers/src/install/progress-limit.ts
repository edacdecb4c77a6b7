import type { Clock } from "@keelson/base";

const maxFactor = 3;

/** Limits an install by the time without progress, and by three times that in total. */
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

  /** Records a state. A changed state is progress. */
  observe(state: unknown): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#progressMs = this.#clock.monotonicMs();
  }

  /** True if the install must fail. */
  get isOver(): boolean {
    const nowMs = this.#clock.monotonicMs();
    return nowMs - this.#progressMs >= this.#limitMs || nowMs - this.#startedMs >= maxFactor * this.#limitMs;
  }
}
