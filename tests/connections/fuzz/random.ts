/** Pseudorandom numbers from a seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a number in the range 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }
}

/** Blocks the event loop occasionally to simulate a machine without free CPU time. */
export async function stall(random: Random): Promise<never> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, random.below(400)));
    const end = performance.now() + random.below(random.next() < 0.1 ? 1_500 : 60);
    while (performance.now() < end);
  }
}
