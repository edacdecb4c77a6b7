import type { SecureContext } from "node:tls";
import type { ConnectOptions } from "./connect-options.ts";
import { Http2Connections } from "./http2-connections.ts";

/**
 * The HTTP/2 connections of clients that share them where they reach the same server with the same certificates, as all of a
 * process do in client-go; each request has its own client's credentials. For clients that trust each other: what one of them
 * leaves unread holds up the others once it fills the connection.
 */
export class ConnectionPool {
  readonly #connections = new WeakMap<SecureContext, Map<string, Http2Connections>>();

  to({ origin, tls, internalAddress }: ConnectOptions): Http2Connections {
    const servers = this.#connections.get(tls.secureContext) ?? new Map<string, Http2Connections>();
    this.#connections.set(tls.secureContext, servers);
    const server = JSON.stringify([origin, tls.servername, internalAddress]);
    const connections = servers.get(server) ?? new Http2Connections(origin, tls);
    servers.set(server, connections);
    return connections;
  }
}
