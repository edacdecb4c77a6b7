import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Http2SecureServer, Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Socket } from "node:net";

type Request = IncomingMessage | Http2ServerRequest;
type Response = ServerResponse | Http2ServerResponse;

/** Clients that send requests before they have the answers of earlier ones send a few. */
const maxUnanswered = 32;

/**
 * Lets requests wait whose connection still holds answers for its client. Node.js stops reading such a connection, but its
 * parser, which reads from the connection directly, is given what had been decrypted already, and takes it for the
 * error HPE_PAUSED. A listener for data has all further bytes pass the socket's own buffer, which waits.
 *
 * Ends a connection with more than 32 unanswered requests: those that came together would all be begun in one go.
 * What its parser still finds has a destroyed socket, and need not be answered.
 */
export function bufferPipelinedRequests(server: Server | Http2SecureServer): void {
  const buffered = new WeakSet<Socket>();
  const unanswered = new WeakMap<Socket, number>();
  const count = (socket: Socket, change: number): number => {
    const sum = (unanswered.get(socket) ?? 0) + change;
    unanswered.set(socket, sum);
    return sum;
  };
  // Before the listener that answers.
  server.prependListener("request", (request: Request, response: Response) => {
    if (request.httpVersionMajor !== 1) return;
    const { socket } = request;
    if (count(socket, 1) > maxUnanswered) socket.destroy();
    // A pipeline to the response alone adds nearly as many listeners as Node.js takes for a leak.
    response.setMaxListeners(response.getMaxListeners() + 1).once("close", () => count(socket, -1));
    if (!socket.isPaused() || buffered.has(socket)) return;
    buffered.add(socket);
    socket.on("data", () => undefined);
  });
}
