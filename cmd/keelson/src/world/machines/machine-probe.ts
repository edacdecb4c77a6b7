import { request } from "node:https";
import type { Clock } from "@keelson/base";

export interface MachineProbeOptions {
  readonly path: string;
  readonly intervalMs: number;
  /** So many in a row take a machine out. */
  readonly failures: number;
  readonly clock: Clock;
  /** Where the machine is asked, once it can be. */
  url(): string | undefined;
}

/** Asks a machine whether it is ready, as load balancers do: one success takes it in, some failures in a row out. */
export class MachineProbe implements Disposable {
  readonly #options: MachineProbeOptions;
  readonly #stop = new AbortController();
  #failed: number;

  constructor(options: MachineProbeOptions) {
    this.#options = options;
    this.#failed = options.failures;
  }

  get isReady(): boolean {
    return this.#failed < this.#options.failures;
  }

  async run(): Promise<void> {
    const { path, intervalMs, failures, clock, url } = this.#options;
    const { signal } = this.#stop;
    for (;;) {
      const base = url();
      const isReady = base !== undefined && (await answers(`${base}${path}`, intervalMs, signal));
      this.#failed = isReady ? 0 : Math.min(failures, this.#failed + 1);
      await clock.sleep(intervalMs, signal);
    }
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
  }
}

/** Load balancers check no certificate. */
function answers(url: string, timeout: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request(url, { agent: false, rejectUnauthorized: false, timeout, signal }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    asked.on("timeout", () => asked.destroy());
    asked.on("error", () => resolve(false));
    asked.end();
  });
}
