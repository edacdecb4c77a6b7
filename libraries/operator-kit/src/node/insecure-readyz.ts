import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { get as httpsGet } from "node:https";
import { type Logger, messageOf } from "@keelson/base";
import { keepAliveTimeoutMs, listen } from "@keelson/http";

export interface InsecureReadyzOptions {
  readonly host: string;
  readonly port: number;
  /** URL of the API server's `/readyz`. */
  readonly delegateUrl: string;
  readonly logger: Logger;
}

export interface InsecureReadyz extends AsyncDisposable {
  readonly port: number;
}

const timeoutMs = 10_000;
const maxBytes = 1024 * 1024;

/**
 * Serves the result of the API server's `/readyz` over plain HTTP, for load balancers that cannot verify the API server's
 * certificate.
 */
export async function serveInsecureReadyz(options: InsecureReadyzOptions): Promise<InsecureReadyz> {
  const { delegateUrl, host, logger } = options;
  const server = createServer((incoming, outgoing) => {
    const [path] = (incoming.url ?? "").split("?");
    if (path !== "/readyz") return void outgoing.writeHead(404).end("404 page not found\n");
    void probe(delegateUrl).then(
      ({ status, type, body }) =>
        outgoing
          .writeHead(status, { "content-type": type, "x-content-type-options": "nosniff" })
          .end(incoming.method === "HEAD" ? undefined : body),
      (error: unknown) => {
        logger.warn({ url: delegateUrl, error: messageOf(error) }, "the API server cannot be reached");
        outgoing
          .writeHead(500, {
            "content-type": "text/plain; charset=utf-8",
            "x-content-type-options": "nosniff",
          })
          .end("couldn't contact kube-apiserver\n");
      },
    );
  });
  server.keepAliveTimeout = keepAliveTimeoutMs;
  return {
    port: await listen(server, host, options.port),
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function probe(url: string) {
  // TLS verification is unnecessary. The server runs on the same node, and the request contains no secret.
  const asked = httpsGet(url, { rejectUnauthorized: false, agent: false, timeout: timeoutMs });
  asked.on("timeout", () => asked.destroy(new Error(`no response within ${timeoutMs} ms`)));
  const responded: Promise<IncomingMessage[]> = once(asked, "response");
  // A reset during the response also emits an error on the request. The reader of the response already handles the reset.
  asked.on("error", () => undefined);
  const [response] = await responded;
  if (!response) throw new Error("no response");
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    const data = Buffer.from(chunk);
    bytes += data.length;
    if (bytes > maxBytes) throw new Error(`the response is longer than ${maxBytes} bytes`);
    chunks.push(data);
  }
  return {
    status: response.statusCode ?? 500,
    type: response.headers["content-type"] ?? "text/plain; charset=utf-8",
    body: Buffer.concat(chunks),
  };
}
