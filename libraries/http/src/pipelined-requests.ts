import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Http2SecureServer, Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Socket } from "node:net";

type Request = IncomingMessage | Http2ServerRequest;
type Response = ServerResponse | Http2ServerResponse;

/** Maximum number of pipelined requests. Clients that pipeline send only a few. */
const maxUnanswered = 32;

/**
 * Delays pipelined requests of a connection with unread responses. Node.js stops reading such a connection.
 * Its parser, which reads from the connection directly, still receives already decrypted data and fails with
 * HPE_PAUSED. A data listener routes all further bytes through the socket's own buffer, which waits.
 *
 * Closes a connection with more than 32 unanswered requests, because requests that arrive together would all
 * start at the same time. Requests that its parser still finds have a destroyed socket and need no response.
 */
export function bufferPipelinedRequests(server: Server | Http2SecureServer): void {
  const buffered = new WeakSet<Socket>();
  const unanswered = new WeakMap<Socket, number>();
  const count = (socket: Socket, change: number): number => {
    const sum = (unanswered.get(socket) ?? 0) + change;
    unanswered.set(socket, sum);
    return sum;
  };
  // Runs before the listener that responds.
  server.prependListener("request", (request: Request, response: Response) => {
    if (request.httpVersionMajor !== 1) return;
    const { socket } = request;
    if (count(socket, 1) > maxUnanswered) socket.destroy();
    // A single pipeline to the response adds nearly as many listeners as Node.js considers a leak.
    response.setMaxListeners(response.getMaxListeners() + 1).once("close", () => count(socket, -1));
    if (!socket.isPaused() || buffered.has(socket)) return;
    buffered.add(socket);
    socket.on("data", () => undefined);
  });
}
