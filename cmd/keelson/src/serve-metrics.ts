import { createServer } from "node:http";
import type { Metrics } from "@keelson/base";

export interface MetricsServer extends AsyncDisposable {
  /** Of `/metrics`. */
  readonly url: string;
}

export interface MetricsServerOptions {
  readonly metrics: Metrics;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Answered as `GET /healthz/ready`, 200 or 503; not served when absent. */
  readonly ready?: () => boolean;
}

/** `GET /metrics` in the Prometheus text format, over plain HTTP. */
export async function serveMetrics(options: MetricsServerOptions): Promise<MetricsServer> {
  const { metrics, host, port, ready } = options;
  const server = createServer(async (request, response) => {
    if (request.method === "GET" && request.url === "/metrics") {
      const { contentType, body } = await metrics.expose();
      response.writeHead(200, { "content-type": contentType }).end(body);
    } else if (request.method === "GET" && request.url === "/healthz/ready" && ready) {
      response.writeHead(ready() ? 200 : 503).end();
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, host, resolve);
  });
  const address = server.address();
  return {
    url: `http://localhost:${typeof address === "object" && address ? address.port : port}/metrics`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
