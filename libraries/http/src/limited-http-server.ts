import type { IncomingMessage, ServerResponse } from "node:http";
import type {
  Http2SecureServer,
  Http2ServerRequest,
  Http2ServerResponse,
  ServerHttp2Session,
} from "node:http2";
import type { Server as HttpsServer } from "node:https";
import { Socket } from "node:net";
import type { Clock } from "@keelson/base";
import { connectionSource } from "./connection-source.ts";
import { isHttp2 } from "./is-http2.ts";
import {
  type DropReason,
  type PendingConnection,
  PendingConnections,
  type PendingLimits,
} from "./pending-connections.ts";

type Request = IncomingMessage | Http2ServerRequest;
type Response = ServerResponse | Http2ServerResponse;

export interface HttpLimitOptions extends Partial<PendingLimits> {
  readonly clock: Clock;
  readonly dropped?: (reason: DropReason) => void;
}

/** Remote address and port. They are the same for the TCP socket and the TLS socket of a connection. */
export type PeerAddress = Pick<Socket, "remoteAddress" | "remotePort">;

interface Connection {
  readonly socket: Socket;
  pending: PendingConnection | undefined;
  session?: ServerHttp2Session;
  requests: number;
  isOverdue: boolean;
}

/** Default limits of an HTTPS server. They are high, because a gateway sends bursts of connections from one address. */
const httpLimits: PendingLimits = { start: 512, full: 2_048, total: 4_096, authenticateMs: 20_000 };

/**
 * Limits the unauthenticated connections of an HTTPS server. When a connection exceeds the time limit for authentication, it can
 * only complete its active requests. These requests have the same time limit once more. If they are still active after that, the
 * connection is closed.
 */
export class LimitedHttpServer {
  readonly #connections = new Map<string, Connection>();
  /** Connections by the socket of their HTTP/1.1 requests, so that a request needs no lookup by address. */
  readonly #bySocket = new WeakMap<Socket, Connection>();
  readonly #pending: PendingConnections;

  constructor(server: HttpsServer | Http2SecureServer, options: HttpLimitOptions) {
    this.#pending = new PendingConnections({ ...httpLimits, ...options });
    server.on("connection", (socket: Socket) => this.#add(socket));
    server.on("session", (session: ServerHttp2Session) => {
      const connection = this.#find(session.socket);
      if (connection) connection.session = session;
    });
    const bySocket = this.#bySocket;
    // All HTTP/1.1 responses share this listener. A closure per response would stay in memory until the response ends.
    const http1Closed = function (this: Response): void {
      const connection = bySocket.get(this.req.socket);
      if (connection) responseClosed(connection);
    };
    server.prependListener("request", (request: Request, response: Response) => {
      const connection = this.#find(request.socket);
      if (!connection) return;
      connection.requests++;
      response.setMaxListeners(response.getMaxListeners() + 1);
      if (isHttp2(request)) response.once("close", () => responseClosed(connection));
      else response.on("close", http1Closed);
    });
  }

  /** Number of unauthenticated connections. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Stops counting a connection, because one of its requests was authenticated. */
  authenticated(peer: PeerAddress): void {
    const connection = this.#find(peer);
    if (!connection) return;
    connection.isOverdue = false;
    connection.pending?.remove();
  }

  #add(socket: Socket): void {
    const key = keyOf(socket);
    const source = connectionSource(socket.remoteAddress ?? "");
    const connection: Connection = { socket, pending: undefined, requests: 0, isOverdue: false };
    const end = (reason: DropReason): void => {
      if (reason !== "time" || connection.isOverdue || connection.requests === 0) {
        socket.destroy();
        return;
      }
      connection.isOverdue = true;
      connection.session?.close();
      connection.pending = this.#pending.add(source, end);
    };
    socket.once("close", () => {
      connection.pending?.remove();
      this.#connections.delete(key);
    });
    this.#connections.set(key, connection);
    connection.pending = this.#pending.add(source, end);
  }

  #find(peer: PeerAddress | undefined): Connection | undefined {
    if (!peer) return undefined;
    // Each HTTP/2 request has a different proxy object for the socket, so the connection is found by its address.
    if (!(peer instanceof Socket)) return this.#connections.get(keyOf(peer));
    const known = this.#bySocket.get(peer);
    if (known) return known;
    const connection = this.#connections.get(keyOf(peer));
    if (connection) this.#bySocket.set(peer, connection);
    return connection;
  }
}

function responseClosed(connection: Connection): void {
  connection.requests--;
  if (connection.isOverdue && connection.requests === 0) connection.socket.destroySoon();
}

function keyOf({ remoteAddress, remotePort }: PeerAddress): string {
  return `${remoteAddress} ${remotePort}`;
}
