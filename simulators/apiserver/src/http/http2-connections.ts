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

/** Stream limit per connection, as in kube-apiserver. */
const maxConcurrentStreams = 250;

/**
 * ALPN protocols in order of preference. Node.js handles single HTTP/1.1 requests with less overhead than
 * HTTP/2.
 */
export const offeredProtocols = ["http/1.1", "h2"];

/**
 * HTTP/2 on the port of an HTTPS server, for clients that offer only `h2`. Programs with many watches share
 * one connection for all of them.
 */
export class Http2Connections implements Disposable {
  readonly #server: Http2Server;
  readonly #sessions = new Set<ServerHttp2Session>();

  constructor(server: Server, listener: Listener) {
    this.#server = createServer({ settings: { maxConcurrentStreams } });
    this.#server.on("request", (request: Http2ServerRequest, response: Http2ServerResponse) => {
      const { stream } = response;
      Object.defineProperty(response, "destroyed", { get: () => stream.destroyed });
      // Only properties that HTTP/1.1 and HTTP/2 messages have in common are used.
      listener(request as unknown as IncomingMessage, response as unknown as ServerResponse);
    });
    this.#server.on("session", (session) => {
      this.#sessions.add(session);
      session.once("close", () => this.#sessions.delete(session));
    });
    // A broken connection also closes its streams, which report the error.
    this.#server.on("sessionError", () => undefined);
    const begin = server.listeners("secureConnection");
    server.removeAllListeners("secureConnection");
    server.on("secureConnection", (socket: TLSSocket) => {
      if (socket.alpnProtocol === "h2") this.#server.emit("connection", socket);
      else for (const each of begin) Reflect.apply(each, server, [socket]);
    });
  }

  /** Stops accepting streams. Connections close when their open streams end. */
  [Symbol.dispose](): void {
    for (const session of this.#sessions) session.close();
  }
}
