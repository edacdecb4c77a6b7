const windowMs = 600_000;
const maxExits = 5;
const firstDelayMs = 250;

export type RestartDecision =
  | { readonly kind: "restart"; readonly delayMs: number }
  | { readonly kind: "down"; readonly reason: string };

/**
 * Decides on restarts of one component. The delay before a restart is 250 ms at first and doubles with each exit. After the fifth
 * exit within ten minutes, the component is not restarted.
 */
export class RestartPolicy {
  #exitsMs: readonly number[] = [];

  /** Decides on a restart after an exit. `nowMs` is the monotonic time of the exit. */
  afterExit(nowMs: number): RestartDecision {
    this.#exitsMs = [...this.#exitsMs.filter((exitMs) => nowMs - exitMs < windowMs), nowMs];
    const exits = this.#exitsMs.length;
    return exits >= maxExits
      ? { kind: "down", reason: `${exits} exits within ${windowMs / 60_000} minutes` }
      : { kind: "restart", delayMs: firstDelayMs * 2 ** (exits - 1) };
  }
}
