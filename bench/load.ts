import { createHistogram } from "node:perf_hooks";
import { Agent, request } from "undici";
import { Http1Connection, type Outcome } from "./http1-connection.ts";

export interface Load {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** With those of the warm-up. */
  readonly sent: number;
}

export interface Request {
  readonly method: "GET" | "PUT";
  readonly url: string;
  readonly body?: string;
}

/** What carries the requests: a lean client of HTTP/1.1, or undici's of HTTP/2, which takes as much CPU as the server. */
export type Protocol = "http/1.1" | "http/2";

export interface LoadOptions {
  /** The server's URL. */
  readonly origin: string;
  readonly caPem: string;
  readonly connections: number;
  readonly protocol: Protocol;
  readonly warmupMs: number;
  readonly durationMs: number;
  /** The request number `n`. */
  readonly next: (n: number) => Request;
}

interface Sender {
  send(request: Request): Promise<Outcome>;
  close(): void | Promise<void>;
}

/** Keeps `connections` HTTPS requests under way and measures them. Throws at the first answer that is an error. */
export async function applyLoad(options: LoadOptions): Promise<Load> {
  const latency = createHistogram();
  const senders = await Promise.all(Array.from({ length: options.connections }, () => open(options)));
  const start = performance.now() + options.warmupMs;
  const end = start + options.durationMs;
  let sent = 0;
  const worker = async (sender: Sender) => {
    while (performance.now() < end) {
      const next = options.next(sent++);
      const began = performance.now();
      const { status, error } = await sender.send(next);
      if (status >= 300) throw new Error(`${next.method} ${next.url} answered ${status}: ${error}`);
      if (began >= start) latency.record(Math.max(1, Math.round((performance.now() - began) * 1e6)));
    }
  };
  try {
    await Promise.all(senders.map(worker));
  } finally {
    await Promise.all(senders.map((sender) => sender.close()));
  }
  return {
    requestsPerSecond: latency.count / (options.durationMs / 1000),
    p50Ms: latency.percentile(50) / 1e6,
    p99Ms: latency.percentile(99) / 1e6,
    sent,
  };
}

async function open({ origin, caPem, protocol }: LoadOptions): Promise<Sender> {
  if (protocol === "http/1.1") return await Http1Connection.open(new URL(origin), caPem);
  const dispatcher = new Agent({ connect: { ca: caPem }, allowH2: true, connections: 1 });
  return {
    async send({ method, url, body }) {
      const content = body === undefined ? {} : { body, headers: { "content-type": "application/json" } };
      const answer = await request(url, { method, dispatcher, ...content });
      return { status: answer.statusCode, error: await answer.body.text() };
    },
    close: () => dispatcher.close(),
  };
}
