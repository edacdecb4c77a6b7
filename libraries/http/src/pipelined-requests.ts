import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Http2SecureServer, Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Socket } from "node:net";
import { isHttp2 } from "./is-http2.ts";

type Request = IncomingMessage | Http2ServerRequest;
type Response = ServerResponse | Http2ServerResponse;

/** Maximum number of pipelined requests per connection. Clients that use pipelining send only a few. */
const maxUnanswered = 32;

/**
 * Delays pipelined requests while the client has not read earlier responses of the connection. Node.js then pauses the socket.
 * The connection's HTTP parser, however, still receives decrypted data directly from the connection, and fails with HPE_PAUSED.
 * This function therefore adds a data listener to the socket. As a result, all further bytes pass through the buffer of the
 * paused socket.
 *
 * Closes connections with more than 32 unanswered requests, because pipelined requests that arrive together would all start
 * concurrently. The parser may still emit requests of a closed connection. These requests have a destroyed socket and need no
 * response.
 */
export function bufferPipelinedRequests(server: Server | Http2SecureServer): void {
  const connections = new WeakMap<Socket, Connection>();
  // All responses share this listener. A closure per response would stay in memory until the response ends.
  const answered = function (this: Response): void {
    const connection = connections.get(this.req.socket);
    if (connection) connection.unanswered--;
  };
  // Registered first, so that it runs before the listener that sends the response.
  server.prependListener("request", (request: Request, response: Response) => {
    if (isHttp2(request)) return;
    const { socket } = request;
    let connection = connections.get(socket);
    if (!connection) {
      connection = { unanswered: 0, isBuffered: false };
      connections.set(socket, connection);
    }
    if (++connection.unanswered > maxUnanswered) socket.destroy();
    // Raises the listener limit by one. A single `pipeline` to the response adds nearly as many listeners as Node.js permits
    // without a leak warning.
    response.setMaxListeners(response.getMaxListeners() + 1).on("close", answered);
    if (connection.isBuffered || !socket.isPaused()) return;
    connection.isBuffered = true;
    socket.on("data", () => undefined);
    // The HTTP parser was reading directly from the socket's handle, and the pause has stopped this read. The stream still waits
    // for it. Without a new read, the connection would never continue.
    socket._read(0);
  });
}

interface Connection {
  unanswered: number;
  isBuffered: boolean;
}
