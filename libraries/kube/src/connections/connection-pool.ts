import type { SecureContext } from "node:tls";
import type { ConnectOptions } from "./connect-options.ts";
import { Http2Connections } from "./http2-connections.ts";

/**
 * Pool of HTTP/2 connections. Clients with the same server and the same certificates share connections, as in client-go. Each
 * request has the credentials of the client that sends it. The clients must trust each other, because unread responses of one
 * client can fill the connection's window and block all clients.
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
