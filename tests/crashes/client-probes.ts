import { setTimeout as delay } from "node:timers/promises";
import { failureKind, messageOf, type Outage, outageOf, type Sample } from "./outage.ts";

export const probeNames = ["arm", "kube", "portal", "status"] as const;
export type ProbeName = (typeof probeNames)[number];

/** Sends one request. Rejects if the request fails. */
export type SendProbe = (signal: AbortSignal) => Promise<void>;

const everyMs = 100;
/** Request timeout in milliseconds. A user would not wait longer. */
const requestLimitMs = 10_000;

/** Clients that send requests until disposal. Each client repeats one request sequentially. */
export class ClientProbes implements AsyncDisposable {
  readonly #samples = new Map<ProbeName, Sample[]>();
  readonly #stop = new AbortController();
  readonly #loops: readonly Promise<void>[];
  #signalledMs = performance.now();

  constructor(send: Readonly<Record<ProbeName, SendProbe>>) {
    this.#loops = probeNames.map((name) => this.#repeat(name, send[name]));
  }

  /** Records the time at which the signal is sent. `outages` reports times relative to this time. */
  signalled(): void {
    this.#signalledMs = performance.now();
  }

  outages(): Readonly<Record<ProbeName, Outage>> {
    const outage = (name: ProbeName) =>
      outageOf(
        (this.#samples.get(name) ?? []).map((each) => ({
          ...each,
          startedMs: each.startedMs - this.#signalledMs,
          endedMs: each.endedMs - this.#signalledMs,
        })),
      );
    return { arm: outage("arm"), kube: outage("kube"), portal: outage("portal"), status: outage("status") };
  }

  /** True if no request failed within the last `ms` milliseconds and each client received a response. */
  isQuiet(ms: number): boolean {
    const since = performance.now() - ms;
    return probeNames.every((name) => {
      const recent = (this.#samples.get(name) ?? []).filter(({ endedMs }) => endedMs > since);
      return recent.length > 0 && recent.every(({ failure }) => failure === undefined);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#loops);
  }

  async #repeat(name: ProbeName, send: SendProbe): Promise<void> {
    const { signal } = this.#stop;
    const samples: Sample[] = [];
    this.#samples.set(name, samples);
    while (!signal.aborted) {
      const startedMs = performance.now();
      const failed = await send(AbortSignal.any([signal, AbortSignal.timeout(requestLimitMs)])).then(
        () => ({}),
        (error: unknown) => ({ failure: failureKind(error), message: messageOf(error) }),
      );
      if (signal.aborted) return;
      samples.push({ startedMs, endedMs: performance.now(), ...failed });
      await delay(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
