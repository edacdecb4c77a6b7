import type { Server as HttpServer } from "node:http";
import type { Server as HttpsServer } from "node:https";
import { startTimeLimit } from "@keelson/base";

/**
 * Idle time in milliseconds after which a listener closes an HTTP/1.1 connection. Some clients reuse idle connections for up to
 * 90 s (Go's net/http), and Prometheus sends a request every 60 s. If a listener closes an idle connection earlier, it can reset
 * a request that a client is just sending. Listeners for third-party clients use at least this value. Listeners with a shorter
 * timeout document the reason.
 */
export const keepAliveTimeoutMs = 120_000;

const pollMs = 20;

/**
 * Closes an HTTP/1.1 server. Closes idle connections immediately and active connections after their response. Requests that still
 * arrive on active connections are served. After `limitMs`, all remaining connections are closed. Delays of the
 * event loop extend this limit. The server polls like Go's
 * `http.Server.Shutdown`, because Node.js does not close a connection that becomes idle after `close`.
 */
export async function closeHttpServer(server: HttpServer | HttpsServer, limitMs: number): Promise<void> {
  if (!server.listening) return;
  server.prependListener("request", (_, response) => response.setHeader("connection", "close"));
  const closed = new Promise((resolve) => server.close(resolve));
  const poll = setInterval(() => server.closeIdleConnections(), pollMs);
  using _ = startTimeLimit(limitMs, () => server.closeAllConnections());
  await closed;
  clearInterval(poll);
}
