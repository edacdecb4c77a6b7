import { createHash } from "node:crypto";

/** Periods of the curves in milliseconds. Their smallest common multiple is so large that curves do not repeat visibly. */
const periodsMs = [86_400_000, 5_340_000] as const;
const swings = [0.25, 0.12] as const;

/** Value that oscillates slowly around its mean. The curve depends only on the name. */
export class Wave {
  readonly #phases: readonly number[];

  constructor(name: string) {
    const digest = createHash("sha256").update(name).digest();
    this.#phases = periodsMs.map((_, index) => (digest.readUInt32BE(index * 4) / 2 ** 32) * 2 * Math.PI);
  }

  /** Returns the value at a time. The mean is 1. */
  level(ms: number): number {
    return periodsMs.reduce(
      (sum, period, index) =>
        sum + (swings[index] ?? 0) * Math.sin((2 * Math.PI * ms) / period + (this.#phases[index] ?? 0)),
      1,
    );
  }

  /**
   * Returns the integral of `level` over a period, with seconds as the unit of time. The integral is the increase of a counter
   * with the rate `level`.
   */
  total(fromMs: number, toMs: number): number {
    const swung = periodsMs.reduce((sum, period, index) => {
      const scale = period / (2 * Math.PI);
      const phase = this.#phases[index] ?? 0;
      const integral = scale * (Math.cos(fromMs / scale + phase) - Math.cos(toMs / scale + phase));
      return sum + (swings[index] ?? 0) * integral;
    }, 0);
    return (toMs - fromMs + swung) / 1_000;
  }
}
