import { aborted } from "@keelson/base";

/** Counts requests from their arrival to the end of their responses. */
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

  /** Resolves to true when no request is in flight, and to false when the signal aborts first. */
  async idle(signal: AbortSignal): Promise<boolean> {
    if (this.#count === 0) return true;
    const idle = new AbortController();
    this.#idle = () => idle.abort();
    await aborted(AbortSignal.any([signal, idle.signal]));
    return this.#count === 0;
  }
}
