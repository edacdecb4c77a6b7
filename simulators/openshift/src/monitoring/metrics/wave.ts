import { createHash } from "node:crypto";

/** A period that is no part of the other, so that a curve does not repeat itself while someone reads it. */
const periodsMs = [86_400_000, 5_340_000] as const;
const swings = [0.25, 0.12] as const;

/** A quantity that swings slowly around its mean, always in the same way for the same name. */
export class Wave {
  readonly #phases: readonly number[];

  constructor(name: string) {
    const digest = createHash("sha256").update(name).digest();
    this.#phases = periodsMs.map((_, index) => (digest.readUInt32BE(index * 4) / 2 ** 32) * 2 * Math.PI);
  }

  /** Around 1. */
  level(ms: number): number {
    return periodsMs.reduce(
      (sum, period, index) =>
        sum + (swings[index] ?? 0) * Math.sin((2 * Math.PI * ms) / period + (this.#phases[index] ?? 0)),
      1,
    );
  }

  /** The integral of `level` between two times, in seconds: what a counter has gained that rises by it. */
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
