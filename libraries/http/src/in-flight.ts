import type { ServerResponse } from "node:http";
import type { Http2ServerResponse } from "node:http2";
import { aborted } from "@keelson/base";

export type Response = ServerResponse | Http2ServerResponse;

/** Responses from the arrival of their requests to their end. */
export class InFlight implements Iterable<Response> {
  readonly #responses = new Set<Response>();
  #idle: (() => void) | undefined;

  /** Adds a response until it is closed. Then calls `closed`. */
  add(response: Response, closed?: () => void): void {
    this.#responses.add(response);
    // A pipeline to a response alone adds nearly as many listeners as Node.js takes for a leak.
    response.setMaxListeners(response.getMaxListeners() + 1).once("close", () => {
      this.#responses.delete(response);
      closed?.();
      if (this.#responses.size === 0) this.#idle?.();
    });
  }

  [Symbol.iterator](): IterableIterator<Response> {
    return this.#responses.values();
  }

  /** Resolves to true when no request is in flight, and to false when the signal aborts first. */
  async idle(signal: AbortSignal): Promise<boolean> {
    if (this.#responses.size === 0) return true;
    const idle = new AbortController();
    this.#idle = () => idle.abort();
    await aborted(AbortSignal.any([signal, idle.signal]));
    return this.#responses.size === 0;
  }
}
