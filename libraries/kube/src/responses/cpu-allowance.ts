import type { Clock } from "@keelson/base";

const periodMs = 60_000;
/** Cool-down in ms of a cluster that exceeded its allowance. Reads of the cluster are rejected during this time. */
const coolDownMs = 120_000;

/**
 * CPU time for parsing the responses of one cluster. If a cluster uses more than `perMinuteMs` per minute, reads of the cluster
 * are rejected during a cool-down.
 */
export class CpuAllowance {
  readonly #clock: Pick<Clock, "monotonicMs">;
  #spentMs = 0;
  #atMs: number;
  #coldUntilMs = 0;

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
    this.#atMs = clock.monotonicMs();
  }

  get isCoolingDown(): boolean {
    return this.#clock.monotonicMs() < this.#coldUntilMs;
  }

  /** Deducts `ms` from the allowance. Returns false if the allowance is used up. */
  spend(ms: number, perMinuteMs: number): boolean {
    this.#refill(perMinuteMs);
    this.#spentMs += ms;
    if (this.#spentMs <= perMinuteMs) return true;
    this.#spentMs = 0;
    this.#coldUntilMs = this.#clock.monotonicMs() + coolDownMs;
    return false;
  }

  #refill(perMinuteMs: number): void {
    const nowMs = this.#clock.monotonicMs();
    const refilled = ((nowMs - this.#atMs) / periodMs) * perMinuteMs;
    this.#spentMs = Math.max(0, this.#spentMs - refilled);
    this.#atMs = nowMs;
  }
}
