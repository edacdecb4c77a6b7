import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** Latencies of a GET request in milliseconds. */
export interface ProbeResult {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly failed: number;
}

/** Repeats a GET request in a separate thread. */
export class Probe implements AsyncDisposable {
  readonly #worker: Worker;

  constructor(target: { readonly url: string; readonly token: string; readonly caPem: string }) {
    this.#worker = new Worker(new URL("./probe-thread.ts", import.meta.url), { workerData: target });
  }

  /** Returns the latencies since the previous call. */
  async take(): Promise<ProbeResult> {
    const received = once(this.#worker, "message");
    this.#worker.postMessage("take");
    const [taken]: { readonly latencies: readonly number[]; readonly failed: number }[] = await received;
    return { ...summarize(taken?.latencies ?? []), failed: taken?.failed ?? 0 };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}

/** Returns the percentiles of a list of latencies. NaN for an empty list. */
export function summarize(latencies: readonly number[]): Omit<ProbeResult, "failed"> {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
}
