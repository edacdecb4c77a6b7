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

/** What kube-apiserver allows one connection. */
const maxConcurrentStreams = 250;

/** What a server offers, the one that it likes best first: Node.js answers single requests of HTTP/1.1 with less work. */
export const offeredProtocols = ["http/1.1", "h2"];

/**
 * HTTP/2 on the port of an HTTPS server, for clients that ask for nothing else: programs with many watches keep them all on
 * one connection.
 */
export class Http2Connections implements Disposable {
  readonly #server: Http2Server;
  readonly #sessions = new Set<ServerHttp2Session>();

  constructor(server: Server, listener: Listener) {
    this.#server = createServer({ settings: { maxConcurrentStreams } });
    this.#server.on("request", (request: Http2ServerRequest, response: Http2ServerResponse) => {
      const { stream } = response;
      Object.defineProperty(response, "destroyed", { get: () => stream.destroyed });
      // The members that are used of both are the same.
      listener(request as unknown as IncomingMessage, response as unknown as ServerResponse);
    });
    this.#server.on("session", (session) => {
      this.#sessions.add(session);
      session.once("close", () => this.#sessions.delete(session));
    });
    // A connection that breaks is the end of its streams, which they notice.
    this.#server.on("sessionError", () => undefined);
    const begin = server.listeners("secureConnection");
    server.removeAllListeners("secureConnection");
    server.on("secureConnection", (socket: TLSSocket) => {
      if (socket.alpnProtocol === "h2") this.#server.emit("connection", socket);
      else for (const each of begin) Reflect.apply(each, server, [socket]);
    });
  }

  /** Takes no further streams; connections end with those that they have. */
  [Symbol.dispose](): void {
    for (const session of this.#sessions) session.close();
  }
}
