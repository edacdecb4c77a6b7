import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Http2SecureServer, Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Socket } from "node:net";

type Request = IncomingMessage | Http2ServerRequest;
type Response = ServerResponse | Http2ServerResponse;

/** Maximum number of pipelined requests per connection. Clients that use pipelining send only a few. */
const maxUnanswered = 32;

/**
 * Delays pipelined requests while earlier responses of the connection are unread. Node.js stops reading such a connection. Its
 * parser reads directly from the connection, still receives decrypted data, and fails with HPE_PAUSED. A data listener routes all
 * further bytes through the socket's own buffer, which is paused.
 *
 * Closes connections with more than 32 unanswered requests, because requests that arrive together would all start at once. The
 * parser may still emit requests of a closed connection. Their socket is destroyed and they need no response.
 */
export function bufferPipelinedRequests(server: Server | Http2SecureServer): void {
  const buffered = new WeakSet<Socket>();
  const unanswered = new WeakMap<Socket, number>();
  const count = (socket: Socket, change: number): number => {
    const sum = (unanswered.get(socket) ?? 0) + change;
    unanswered.set(socket, sum);
    return sum;
  };
  // Registered first, so that it runs before the listener that sends the response.
  server.prependListener("request", (request: Request, response: Response) => {
    if (request.httpVersionMajor !== 1) return;
    const { socket } = request;
    if (count(socket, 1) > maxUnanswered) socket.destroy();
    // One pipeline to the response adds nearly as many listeners as the leak warning of Node.js permits.
    response.setMaxListeners(response.getMaxListeners() + 1).once("close", () => count(socket, -1));
    if (!socket.isPaused() || buffered.has(socket)) return;
    buffered.add(socket);
    socket.on("data", () => undefined);
  });
}
