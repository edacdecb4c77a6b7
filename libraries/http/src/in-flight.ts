import { aborted } from "@keelson/base";

/** Counts requests from arrival until their response is complete. */
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

  /** Resolves to true as soon as no request is in flight. Resolves to false if the signal aborts before that. */
  async idle(signal: AbortSignal): Promise<boolean> {
    if (this.#count === 0) return true;
    const idle = new AbortController();
    this.#idle = () => idle.abort();
    await aborted(AbortSignal.any([signal, idle.signal]));
    return this.#count === 0;
  }
}
