import { createHistogram } from "node:perf_hooks";
import { Agent, request } from "undici";

export interface Load {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface Request {
  readonly method: "GET" | "PUT";
  readonly url: string;
  readonly body?: string;
}

export interface LoadOptions {
  readonly caPem: string;
  readonly connections: number;
  readonly warmupMs: number;
  readonly durationMs: number;
  /** The request number `n`. */
  readonly next: (n: number) => Request;
}

/** Keeps `connections` HTTPS requests under way and measures them. Throws at the first answer that is an error. */
export async function applyLoad(options: LoadOptions): Promise<Load> {
  const agent = new Agent({ connect: { ca: options.caPem }, connections: options.connections });
  const latency = createHistogram();
  const start = performance.now() + options.warmupMs;
  const end = start + options.durationMs;
  let sent = 0;
  const worker = async () => {
    while (performance.now() < end) {
      const { method, url, body } = options.next(sent++);
      const began = performance.now();
      const answer = await request(url, {
        method,
        dispatcher: agent,
        ...(body === undefined ? {} : { body, headers: { "content-type": "application/json" } }),
      });
      const text = await answer.body.text();
      if (answer.statusCode >= 300)
        throw new Error(`${method} ${url} answered ${answer.statusCode}: ${text}`);
      if (began >= start) latency.record(Math.max(1, Math.round((performance.now() - began) * 1e6)));
    }
  };
  await Promise.all(Array.from({ length: options.connections }, worker));
  await agent.close();
  return {
    requestsPerSecond: latency.count / (options.durationMs / 1000),
    p50Ms: latency.percentile(50) / 1e6,
    p99Ms: latency.percentile(99) / 1e6,
  };
}
