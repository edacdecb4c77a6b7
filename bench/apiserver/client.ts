import { createHistogram } from "node:perf_hooks";
import { agentFor, type ControlPlane } from "@keelson/apiserver/testing";
import { Pool } from "undici";

export interface Call {
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: string;
  readonly body?: string;
  /** Content type of the body. Default: JSON. */
  readonly contentType?: string;
}

/** Client of one control plane with administrator credentials. It uses several connections. */
export class BenchClient implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #prefix: string;
  readonly #connections: number;

  constructor({ url, authority, admin }: ControlPlane, connections: number) {
    const { origin, pathname } = new URL(url);
    this.#prefix = pathname.replace(/\/$/, "");
    this.#connections = connections;
    this.#pool = new Pool(origin, {
      connections,
      connect: { ca: authority.certificatePem, cert: admin.certificatePem, key: admin.privateKeyPem },
    });
  }

  /** Sends a request. Returns the size of the response body in bytes. @throws Error for an error response */
  async call({ method, path, body, contentType = "application/json" }: Call): Promise<number> {
    const response = await this.#pool.request({
      method,
      path: this.#prefix + path,
      headers: body === undefined ? {} : { "content-type": contentType },
      ...(body === undefined ? {} : { body }),
    });
    const bytes = await response.body.arrayBuffer();
    if (response.statusCode < 300) return bytes.byteLength;
    throw new Error(
      `${method} ${path} returned status ${response.statusCode}: ${Buffer.from(bytes).toString()}`,
    );
  }

  /** Sends requests on all connections for `durationMs` after a warm-up. Returns the number of requests per second. */
  async throughput(next: (n: number) => Call, durationMs = 3_000, warmupMs = 1_000): Promise<number> {
    const start = performance.now() + warmupMs;
    const end = start + durationMs;
    let sent = 0;
    let counted = 0;
    const worker = async () => {
      while (performance.now() < end) {
        const began = performance.now();
        await this.call(next(sent++));
        if (began >= start) counted++;
      }
    };
    await Promise.all(Array.from({ length: this.#connections }, worker));
    return counted / (durationMs / 1_000);
  }

  /** Returns the median duration of sequential requests in milliseconds. */
  async latency(call: Call, times = 15): Promise<number> {
    const histogram = createHistogram();
    for (let at = 0; at < times + 3; at++) {
      const began = performance.now();
      await this.call(call);
      if (at >= 3) histogram.record(Math.round((performance.now() - began) * 1e6));
    }
    return histogram.percentile(50) / 1e6;
  }

  /** Sends `count` requests, distributed over all connections. */
  async all(count: number, call: (n: number) => Call): Promise<void> {
    let sent = 0;
    const worker = async () => {
      while (sent < count) await this.call(call(sent++));
    };
    await Promise.all(Array.from({ length: this.#connections }, worker));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.destroy();
  }
}

/** Starts a watch and passes each frame to `onLine`. Resolves when the watch is established. */
export async function watchLines(
  plane: ControlPlane,
  path: string,
  onLine: (line: string) => void,
): Promise<() => Promise<void>> {
  const agent = agentFor(plane.authority, plane.admin, 1);
  const { origin, pathname } = new URL(plane.url);
  const { body } = await agent.request({ origin, path: pathname.replace(/\/$/, "") + path, method: "GET" });
  let rest = "";
  body.setEncoding("utf8");
  body.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  });
  body.on("error", () => undefined);
  return () => agent.destroy();
}
