import type { Server as HttpServer } from "node:http";
import type { Server as HttpsServer } from "node:https";

/**
 * Idle time in milliseconds after which a listener closes an HTTP/1.1 connection. Clients reuse idle
 * connections for up to 90 s (Go's net/http) and scrape every 60 s. A listener that closes earlier resets
 * in-flight requests. Listeners for third-party clients use at least this value. Shorter ones document the
 * reason.
 */
export const keepAliveTimeoutMs = 120_000;

const pollMs = 20;

/**
 * Closes a server of HTTP/1.1. It closes idle connections immediately, each other connection after its response, and
 * after `limitMs` all that are left. Requests that arrive meanwhile are served, and their responses close the connection.
 * Polls as Go's `http.Server.Shutdown` does, because Node.js keeps a connection that becomes idle after `close`.
 */
export async function closeHttpServer(server: HttpServer | HttpsServer, limitMs: number): Promise<void> {
  if (!server.listening) return;
  server.prependListener("request", (_, response) => response.setHeader("connection", "close"));
  const closed = new Promise((resolve) => server.close(resolve));
  const poll = setInterval(() => server.closeIdleConnections(), pollMs);
  const limit = setTimeout(() => server.closeAllConnections(), limitMs);
  await closed;
  clearInterval(poll);
  clearTimeout(limit);
}
