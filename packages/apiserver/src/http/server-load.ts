import type { ServerResponse } from "node:http";
import { failures } from "../status/status-error.ts";
import type { RequestInfo } from "./request-info.ts";

/** How much a server takes on at the same time; what comes on top is answered 429. */
export interface ServerLimits {
  /** Open connections. Twice as many, and the rest are closed as they come. */
  readonly connections: number;
  /** Requests under way, without watches. */
  readonly requests: number;
  readonly watches: number;
}

export const defaultLimits: ServerLimits = { connections: 10_000, requests: 2_000, watches: 10_000 };

/** The requests of a server that are under way. */
export class ServerLoad {
  readonly #limits: ServerLimits;
  #requests = 0;
  #watches = 0;

  constructor(limits: ServerLimits) {
    this.#limits = limits;
  }

  /** Counts a request until its answer is over. @throws StatusError 429 */
  admit(response: ServerResponse, { verb }: RequestInfo, connections: number): void {
    const watch = verb === "watch";
    if (connections > this.#limits.connections) {
      response.setHeader("connection", "close");
      throw failures.overloaded("too many connections, please try again later");
    }
    const full = watch ? this.#watches >= this.#limits.watches : this.#requests >= this.#limits.requests;
    if (full) throw failures.overloaded("too many requests, please try again later");
    if (watch) this.#watches++;
    else this.#requests++;
    response.once("close", () => {
      if (watch) this.#watches--;
      else this.#requests--;
    });
  }
}
