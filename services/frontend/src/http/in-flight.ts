import { aborted } from "@keelson/base";

/** Counts requests between their arrival and the end of their answers. */
export class InFlight {
  #count = 0;
  #idle: (() => void) | undefined;

  enter(): void {
    this.#count++;
  }

  leave(): void {
    this.#count--;
    if (this.#count === 0) this.#idle?.();
  }

  /** Resolves when no request is in flight, or when the signal aborts; true in the first case. */
  async idle(signal: AbortSignal): Promise<boolean> {
    if (this.#count === 0) return true;
    const idle = new AbortController();
    this.#idle = () => idle.abort();
    await aborted(AbortSignal.any([signal, idle.signal]));
    return this.#count === 0;
  }
}
