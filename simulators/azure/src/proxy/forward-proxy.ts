import { createServer as createHttpServer, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import type { KeyPair, Logger } from "@keelson/base";
import { azureHost } from "./azure-hosts.ts";

export interface ForwardProxyOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** For the names of `azureHostNames`. */
  readonly tls: KeyPair;
}

export interface ForwardProxy extends AsyncDisposable {
  readonly port: number;
}

/** More than any client opens; what is beyond is closed at once. */
const maxConnections = 1_000;
/** A client says at once where it wants to go, and begins TLS as soon as it may. */
const handshakeMs = 10_000;

/**
 * A proxy for clients that know Azure by its own host names only: `CONNECT` to port 443 of one of those ends here, in TLS
 * by a certificate for that name, and `serve` has the connection. Every other host is refused at once: this proxy opens no
 * connection to anywhere.
 */
export async function startForwardProxy(
  { host, port, tls }: ForwardProxyOptions,
  serve: (socket: TLSSocket) => void,
  logger: Logger,
): Promise<ForwardProxy> {
  const open = new Set<Duplex>();
  const intercepting = createTlsServer(
    { key: tls.privateKeyPem, cert: tls.certificatePem, handshakeTimeout: handshakeMs },
    serve,
  );
  intercepting.on("tlsClientError", (error, socket) => {
    logger.debug({ error: error.message }, "a client of the proxy broke its connection off");
    socket.destroy();
  });
  const server = createHttpServer(
    { headersTimeout: handshakeMs, requestTimeout: handshakeMs },
    (_, answer) => {
      answer.writeHead(403, { "content-type": "text/plain", connection: "close" });
      answer.end("This proxy takes CONNECT only, for Azure's own host names.\n");
    },
  );
  server.maxConnections = maxConnections;
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  server.on("connect", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A client that has left gets no more.
    socket.on("error", () => socket.destroy());
    const target = /^([\w.-]+):443$/.exec(request.url ?? "")?.[1];
    if (target === undefined || !azureHost(target)) {
      logger.debug({ target: request.url?.slice(0, 300) }, "the proxy refused a host");
      socket.end(refusal);
      return;
    }
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    if (head.length > 0) socket.unshift(head);
    intercepting.emit("connection", socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

const reason = "This proxy stands in for hosts of Azure only, on port 443.\n";
const refusal = [
  "HTTP/1.1 403 Forbidden",
  "content-type: text/plain",
  `content-length: ${reason.length}`,
  "connection: close",
  "",
  reason,
].join("\r\n");
