import type { IncomingMessage, ServerResponse } from "node:http";
import {
  createServer,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from "node:http2";
import type { Server } from "node:https";
import type { TLSSocket } from "node:tls";

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Maximum number of concurrent streams per connection, as in kube-apiserver. */
const maxConcurrentStreams = 250;

/**
 * ALPN protocols in order of preference. HTTP/1.1 is first, because Node.js handles single HTTP/1.1 requests faster than HTTP/2
 * requests.
 */
export const offeredProtocols = ["http/1.1", "h2"];

/**
 * HTTP/2 support on the port of an HTTPS server, for clients that offer only `h2`. Clients with many watches then need only one
 * connection.
 */
export class Http2Connections implements Disposable {
  readonly #server: Http2Server;
  readonly #sessions = new Set<ServerHttp2Session>();

  constructor(server: Server, listener: Listener) {
    this.#server = createServer({ settings: { maxConcurrentStreams } });
    this.#server.on("request", (request: Http2ServerRequest, response: Http2ServerResponse) => {
      const { stream } = response;
      Object.defineProperty(response, "destroyed", { get: () => stream.destroyed });
      // The casts are safe, because the listener uses only properties that HTTP/1.1 and HTTP/2 messages have in common.
      listener(request as unknown as IncomingMessage, response as unknown as ServerResponse);
    });
    this.#server.on("session", (session) => {
      this.#sessions.add(session);
      session.once("close", () => this.#sessions.delete(session));
    });
    // The error is ignored here, because a broken connection also closes its streams. The streams report the error.
    this.#server.on("sessionError", () => undefined);
    // Node.js does not close a connection with a failed TLS handshake if the server has a `clientError` listener. After the time
    // limit of a handshake, this listener would send a response, and the client could still complete the handshake. HTTP/2 would
    // then write to the socket before the response is written, and Node.js would abort the process.
    server.prependListener("tlsClientError", (_error, socket: TLSSocket) => socket.destroy());
    const begin = server.listeners("secureConnection");
    server.removeAllListeners("secureConnection");
    server.on("secureConnection", (socket: TLSSocket) => {
      if (socket.alpnProtocol === "h2") this.#server.emit("connection", socket);
      else for (const each of begin) Reflect.apply(each, server, [socket]);
    });
  }

  /** Stops accepting streams. A connection closes after its last open stream has ended. */
  [Symbol.dispose](): void {
    for (const session of this.#sessions) session.close();
  }
}
