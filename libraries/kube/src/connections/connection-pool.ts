import type { SecureContext } from "node:tls";
import type { ConnectOptions } from "./connect-options.ts";
import { Http2Connections } from "./http2-connections.ts";

/**
 * HTTP/2 connections shared by clients that reach the same server with the same certificates, as client-go
 * does within a process. Each request has the credentials of its client. The clients must trust each other:
 * unread responses of one client block all of them when the connection's window is full.
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
