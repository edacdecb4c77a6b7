import { request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { connect } from "node:net";
import type { Clock } from "@keelson/base";
import type { HealthProbe } from "@keelson/sim-azure";

export interface MachineProbeOptions {
  readonly probe: HealthProbe;
  readonly clock: Clock;
  /** Local port that replaces the probed port of the machine. Undefined until the unit listens. */
  port(): number | undefined;
}

/** Maximum event loop delay in ms. A probe that fails during a longer delay is ignored. */
const maxLateMs = 500;

/**
 * Probes a machine like a load balancer. One success makes the machine ready. Several consecutive failures make it not ready. A
 * failure counts only if the event loop of this process had no delay during the probe.
 */
export class MachineProbe implements Disposable {
  readonly #options: MachineProbeOptions;
  readonly #stop = new AbortController();
  #failed: number;

  constructor(options: MachineProbeOptions) {
    this.#options = options;
    this.#failed = options.probe.failures;
  }

  get isReady(): boolean {
    return this.#failed < this.#options.probe.failures;
  }

  async run(): Promise<void> {
    const { probe, clock, port } = this.#options;
    const { signal } = this.#stop;
    for (;;) {
      const lateMs = clock.lateMs?.() ?? 0;
      const at = port();
      const isReady = at !== undefined && (await responds(probe, at, signal));
      const isLate = (clock.lateMs?.() ?? 0) - lateMs > maxLateMs;
      if (isReady) this.#failed = 0;
      else if (!isLate) this.#failed = Math.min(probe.failures, this.#failed + 1);
      await clock.sleep(probe.intervalSeconds * 1_000, signal);
    }
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
  }
}

const host = "127.0.0.1";

function responds(probe: HealthProbe, port: number, signal: AbortSignal): Promise<boolean> {
  const timeout = probe.intervalSeconds * 1_000;
  if (probe.protocol === "tcp") return accepts(port, timeout, signal);
  const options = { host, port, path: probe.path, agent: false, timeout, signal };
  return new Promise((resolve) => {
    const asked =
      probe.protocol === "https"
        ? // Health probes of load balancers do not verify certificates.
          secureRequest({ ...options, rejectUnauthorized: false })
        : plainRequest(options);
    asked.on("response", (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    asked.on("timeout", () => asked.destroy());
    asked.on("error", () => resolve(false));
    asked.end();
  });
}

function accepts(port: number, timeout: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout, signal });
    const end = (isOpen: boolean) => {
      resolve(isOpen);
      socket.destroy();
    };
    socket.on("connect", () => end(true));
    socket.on("timeout", () => end(false));
    socket.on("error", () => end(false));
  });
}
