const windowMs = 600_000;
const maxExits = 5;
const firstDelayMs = 250;

export type RestartDecision =
  | { readonly kind: "restart"; readonly delayMs: number }
  | { readonly kind: "down"; readonly reason: string };

/** Decides about restarts of one component: delays of 250 ms that double, until the fifth exit within ten minutes. */
export class RestartPolicy {
  #exitsMs: readonly number[] = [];

  /** `nowMs`: monotonic time of the exit. */
  afterExit(nowMs: number): RestartDecision {
    this.#exitsMs = [...this.#exitsMs.filter((exitMs) => nowMs - exitMs < windowMs), nowMs];
    const exits = this.#exitsMs.length;
    return exits >= maxExits
      ? { kind: "down", reason: `${exits} exits within ${windowMs / 60_000} minutes` }
      : { kind: "restart", delayMs: firstDelayMs * 2 ** (exits - 1) };
  }
}
