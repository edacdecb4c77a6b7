import { createHistogram } from "node:perf_hooks";
import { Http1Connection, type Request } from "./http1-connection.ts";

export interface Load {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Number of sent requests, including the warm-up. */
  readonly sent: number;
}

export interface LoadOptions {
  /** URL of the server. */
  readonly origin: string;
  readonly caPem: string;
  readonly connections: number;
  readonly warmupMs: number;
  readonly durationMs: number;
  /** Returns the request with number `n`. */
  readonly next: (n: number) => Request;
}

/** Measures HTTPS requests on `connections` concurrent connections. @throws Error after the first failed response */
export async function applyLoad(options: LoadOptions): Promise<Load> {
  const latency = createHistogram();
  const origin = new URL(options.origin);
  const connections = await Promise.all(
    Array.from({ length: options.connections }, () => Http1Connection.open(origin, options.caPem)),
  );
  const start = performance.now() + options.warmupMs;
  const end = start + options.durationMs;
  let sent = 0;
  const worker = async (connection: Http1Connection) => {
    while (performance.now() < end) {
      const next = options.next(sent++);
      const began = performance.now();
      const { status, error } = await connection.send(next);
      if (status >= 300) throw new Error(`${next.method} ${next.url} returned status ${status}: ${error}`);
      if (began >= start) latency.record(Math.max(1, Math.round((performance.now() - began) * 1e6)));
    }
  };
  try {
    await Promise.all(connections.map(worker));
  } finally {
    for (const connection of connections) connection.close();
  }
  return {
    requestsPerSecond: latency.count / (options.durationMs / 1000),
    p50Ms: latency.percentile(50) / 1e6,
    p99Ms: latency.percentile(99) / 1e6,
    sent,
  };
}
