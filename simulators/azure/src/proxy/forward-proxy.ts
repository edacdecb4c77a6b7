import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { connectStreams, type KeyPair, type Logger, messageOf } from "@keelson/base";
import { extendReceiveLimits, handshakeTimeoutMs, listen } from "@keelson/http";
import { azureHost } from "./azure-hosts.ts";

export interface ForwardProxyOptions {
  readonly host: string;
  /** Port to listen on. 0 selects a free port. */
  readonly port: number;
  /** Certificate and key for `azureHostNames`. */
  readonly tls: KeyPair;
  /**
   * Opens a connection to a port of a machine. Called for a `CONNECT` request to the address of a private endpoint. Default: such
   * requests are refused.
   */
  readonly connectMachine?: ConnectMachine;
  /**
   * Address of the clusters' API servers. The proxy connects to this address for a `CONNECT` request to port 6443 of an API
   * server name. Default: such requests are refused.
   */
  readonly clusters?: { readonly host: string; readonly port: number };
}

interface MachineRef {
  /** ARM resource ID. */
  readonly id: string;
}

/**
 * Opens a connection to a port of a machine. Resolves to `undefined` if the port is closed. Rejects if the host that runs the
 * machine is unreachable.
 */
export type ConnectMachine = (machine: MachineRef, port: number) => Promise<Duplex | undefined>;

/** Returns the machine behind a private address. Returns `undefined` for an unknown address. */
export type RouteToMachine = (
  address: string,
  port: number,
) => { readonly machine: MachineRef; readonly port: number } | undefined;

/** True if the host name is the API server name of a cluster. */
export type IsApiServer = (name: string) => boolean;

/** Services to which the proxy forwards. */
export interface ProxyTargets {
  /** Serves connections to Azure's host names. */
  readonly serve: (socket: TLSSocket) => void;
  /** Serves requests to the instance metadata service. `request.url` contains only the path. */
  readonly serveMetadata: (request: IncomingMessage, response: ServerResponse) => void;
  readonly routeTo: RouteToMachine;
  readonly isApiServer: IsApiServer;
}

export interface ForwardProxy extends AsyncDisposable {
  readonly port: number;
}

/** Maximum number of connections. Clients need fewer connections. Connections above this number are closed immediately. */
const maxConnections = 1_000;
/** Time limit in ms for the `CONNECT` request and the TLS handshake. */
const handshakeMs = 10_000;

/**
 * Starts a proxy for clients with Azure's built-in host names. For a `CONNECT` request to port 443 of such a name, the proxy
 * terminates TLS and passes the connection to `serve`. The options can enable connections to machines and API servers. All other
 * hosts are refused, so the proxy never connects to external hosts. Plain HTTP requests can reach only the instance metadata
 * service.
 */
export async function startForwardProxy(
  { host, port, tls, connectMachine, clusters }: ForwardProxyOptions,
  { serve, serveMetadata, routeTo, isApiServer }: ProxyTargets,
  logger: Logger,
): Promise<ForwardProxy> {
  const open = new Set<Duplex>();
  const intercepting = createTlsServer(
    { key: tls.privateKeyPem, cert: tls.certificatePem, handshakeTimeout: handshakeTimeoutMs },
    serve,
  );
  intercepting.on("tlsClientError", (error, socket) => {
    logger.debug({ error: error.message }, "a client of the proxy broke its connection off");
    socket.destroy();
  });
  const server = createHttpServer(
    { headersTimeout: handshakeMs, requestTimeout: handshakeMs },
    (request, answer) => {
      const target = metadataTarget(request.url ?? "");
      if (target !== undefined) {
        request.url = target;
        serveMetadata(request, answer);
        return;
      }
      answer.writeHead(403, { "content-type": "text/plain", connection: "close" });
      answer.end(
        `This proxy accepts only CONNECT for Azure's own host names and requests for ${metadataHost}/metadata/.\n`,
      );
    },
  );
  extendReceiveLimits(server);
  server.maxConnections = maxConnections;
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  server.on("connect", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // The client may have closed the connection already.
    socket.on("error", () => socket.destroy());
    const machine = machineAt(request.url ?? "");
    if (machine) {
      machine().then(
        (guest) => (guest ? join(socket, guest, head) : refuse(request, socket)),
        (error: unknown) => {
          logger.warn({ error: messageOf(error) }, "the proxy cannot reach a machine");
          socket.end(badGateway);
        },
      );
      return;
    }
    const apiServer = /^([\w.-]+):6443$/.exec(request.url ?? "")?.[1];
    if (clusters && apiServer !== undefined && isApiServer(apiServer)) {
      connectApiServer(clusters).then(
        (upstream) => join(socket, upstream, head),
        (error: unknown) => {
          logger.warn({ error: messageOf(error) }, "the proxy cannot reach the clusters' API server");
          socket.end(unreachable);
        },
      );
      return;
    }
    const target = /^([\w.-]+):443$/.exec(request.url ?? "")?.[1];
    if (target === undefined || !azureHost(target)) {
      refuse(request, socket);
      return;
    }
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    if (head.length > 0) socket.unshift(head);
    intercepting.emit("connection", socket);
  });
  const machineAt = (target: string) => {
    const [, address, ownPort] = /^(\d+\.\d+\.\d+\.\d+):(\d+)$/.exec(target) ?? [];
    const route = address === undefined || !connectMachine ? undefined : routeTo(address, Number(ownPort));
    return route && connectMachine && (() => connectMachine(route.machine, route.port));
  };
  const refuse = (request: IncomingMessage, socket: Duplex) => {
    logger.debug({ target: request.url?.slice(0, 300) }, "the proxy refused a host");
    socket.end(refusal);
  };
  return {
    port: await listen(server, host, port),
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

/** Address of the instance metadata service. Azure's machines call it without TLS. */
const metadataHost = "169.254.169.254";

/** Returns the path of a request to the instance metadata service. Returns undefined for other hosts. */
function metadataTarget(url: string): string | undefined {
  const origin = `http://${metadataHost}`;
  return url.startsWith(`${origin}/metadata/`) ? url.slice(origin.length) : undefined;
}

function join(socket: Duplex, guest: Duplex, head: Buffer): void {
  if (socket.destroyed) {
    guest.destroy();
    return;
  }
  socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
  if (head.length > 0) guest.write(head);
  connectStreams(socket, guest);
}

async function connectApiServer(address: { readonly host: string; readonly port: number }): Promise<Socket> {
  const socket = connect(address);
  await once(socket, "connect");
  return socket;
}

const refusal = response(
  "403 Forbidden",
  "This proxy connects to hosts of Azure on port 443 and to API servers of clusters on port 6443 only.\n",
);
const unreachable = response("502 Bad Gateway", "The clusters' API server cannot be reached.\n");
const badGateway = response("502 Bad Gateway", "The machine cannot be reached.\n");

function response(status: string, reason: string): string {
  return [
    `HTTP/1.1 ${status}`,
    "content-type: text/plain",
    `content-length: ${reason.length}`,
    "connection: close",
    "",
    reason,
  ].join("\r\n");
}
