import type { Server } from "node:http";
import type { Http2SecureServer } from "node:http2";
import { type Clock, maxExtension, systemClock } from "@keelson/base";

type LimitName = "headersTimeout" | "requestTimeout";

/** HTTP/1.1 server, or HTTP/2 server that accepts HTTP/1.1. The server's limits are in ms. 0 means no limit. */
export type ReceivingServer = Pick<Server, LimitName> | Http2SecureServer;

/**
 * Extends the time limits of Node.js for receiving headers and requests by the delay of the event loop. Limits become at most ten
 * times as long. Node.js checks the limits before it reads sockets. Without the extension, a late event loop would respond to
 * complete requests with 408.
 */
export function extendReceiveLimits(server: ReceivingServer, clock: Clock = systemClock): void {
  for (const name of ["headersTimeout", "requestTimeout"] as const) extend(server, name, clock);
}

/** Replaces a limit by a getter. Node.js calls the getter at each connection check. */
function extend(server: ReceivingServer, name: LimitName, clock: Clock): void {
  let limitMs: number = Reflect.get(server, name) ?? 0;
  const lateness = new RecentLateness(clock);
  Object.defineProperty(server, name, {
    configurable: true,
    enumerable: true,
    get() {
      if (limitMs === 0) return 0;
      const extraMs = maxExtension * limitMs;
      return limitMs + Math.min(extraMs, lateness.within(limitMs + extraMs));
    },
    set(value: number) {
      limitMs = value;
    },
  });
}

const samplesPerWindow = 64;

/** Measures the delay of the event loop in a recent time window. */
class RecentLateness {
  readonly #clock: Clock;
  /** Samples in ascending order of time. */
  #samples: { readonly atMs: number; readonly lateMs: number }[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
    this.within(0);
  }

  /**
   * Returns the delay in ms that the event loop has accumulated in the last `windowMs`. The result may include up to one sampling
   * interval before the window.
   */
  within(windowMs: number): number {
    const sample = { atMs: this.#clock.monotonicMs(), lateMs: this.#clock.lateMs?.() ?? 0 };
    const first = this.#samples.findLastIndex(({ atMs }) => atMs <= sample.atMs - windowMs);
    if (first > 0) this.#samples.splice(0, first);
    const last = this.#samples.at(-1);
    if (!last || sample.atMs - last.atMs >= windowMs / samplesPerWindow) this.#samples.push(sample);
    return sample.lateMs - (this.#samples[0]?.lateMs ?? sample.lateMs);
  }
}
