import { startTimeLimit } from "@keelson/base";

export interface TurnOptions {
  /** Maximum waiting time in ms. */
  readonly limitMs: number;
  /** True to wait before all others. */
  readonly isFirst: boolean;
}

/** Semaphore with a variable limit. Waiting callers proceed in the order of their calls. */
export class Turns {
  #limit: number;
  #taken = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  get limit(): number {
    return this.#limit;
  }

  set limit(limit: number) {
    this.#limit = limit;
    this.#wake();
  }

  /** Number of waiting callers. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Takes a turn if fewer than `limit` turns are taken. Otherwise returns false. */
  takeNow(): boolean {
    const isFree = this.#taken < this.#limit;
    if (isFree) this.#taken++;
    return isFree;
  }

  /** Waits until fewer than `limit` turns are taken, and takes one. Returns false after `limitMs`. */
  async take({ limitMs, isFirst }: TurnOptions): Promise<boolean> {
    if (this.takeNow()) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const proceed = () => resolve(true);
    if (isFirst) this.#waiting.unshift(proceed);
    else this.#waiting.push(proceed);
    using _ = startTimeLimit(limitMs, () => {
      const at = this.#waiting.indexOf(proceed);
      if (at < 0) return;
      this.#waiting.splice(at, 1);
      resolve(false);
    });
    return await promise;
  }

  /** Returns a taken turn. */
  leave(): void {
    this.#taken--;
    this.#wake();
  }

  #wake(): void {
    while (this.#taken < this.#limit) {
      const proceed = this.#waiting.shift();
      if (!proceed) return;
      this.#taken++;
      proceed();
    }
  }
}
