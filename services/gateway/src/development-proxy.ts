import { X509Certificate } from "node:crypto";
import { createServer as createHttpServer, type IncomingMessage } from "node:http";
import { createServer, type Server } from "node:https";
import { BlockList, isIP, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { type KeyPair, type Logger, messageOf } from "@keelson/base";
import { extendReceiveLimits, listen, portOf } from "@keelson/http";
import { grant, refuse } from "./connect-responses.ts";
import { hostAndPort } from "./host-and-port.ts";
import { connected, dialTcp } from "./tunnel/dial.ts";
import { Tunnels } from "./tunnel/tunnels.ts";

interface PortRange {
  readonly first: number;
  readonly last: number;
}

export interface DevelopmentProxyOptions {
  /** Address to listen on. */
  readonly host: string;
  /** Port 0 selects a free port. */
  readonly port: number;
  /** Health check port. 0 selects a free port. */
  readonly healthPort: number;
  /** Server certificate and key. */
  readonly server: KeyPair;
  /** The only accepted client certificate, PEM. */
  readonly clientCertificatePem: string;
  /** Allowed destination addresses, IPv4 or IPv6 CIDR. */
  readonly subnet: string;
  readonly ports: readonly PortRange[];
  readonly logger: Logger;
}

export interface DevelopmentProxy extends AsyncDisposable {
  readonly port: number;
  readonly healthPort: number;
}

const handshakeMs = 30_000;
const idleMs = 3_600_000;
const maxConnections = 1_000;

/**
 * Starts a proxy that connects developers' machines to private clusters. It accepts HTTP CONNECT with mutual TLS. Destinations
 * must be in one subnet. Disposal closes all connections.
 * @throws Error for an invalid subnet or certificate
 */
export async function startDevelopmentProxy(options: DevelopmentProxyOptions): Promise<DevelopmentProxy> {
  const proxy = new RunningProxy(options);
  await proxy.start();
  return proxy;
}

class RunningProxy implements DevelopmentProxy {
  readonly #options: DevelopmentProxyOptions;
  readonly #subnet: BlockList;
  readonly #tunnels = new Tunnels({ idleMs, perCluster: maxConnections, total: maxConnections });
  readonly #server: Server;
  readonly #health = createHttpServer((_, response) => response.end("Running."));
  readonly #clients = new Set<Socket>();

  constructor(options: DevelopmentProxyOptions) {
    this.#options = options;
    this.#subnet = subnetOf(options.subnet);
    const { server, clientCertificatePem, logger } = options;
    this.#server = createServer(
      {
        cert: server.certificatePem,
        key: server.privateKeyPem,
        ca: clientCertificatePem,
        requestCert: true,
        rejectUnauthorized: true,
        minVersion: "TLSv1.2",
        handshakeTimeout: handshakeMs,
        headersTimeout: handshakeMs,
        requestTimeout: handshakeMs,
        allowHalfOpen: true,
      },
      (_, response) => response.writeHead(405).end(),
    );
    extendReceiveLimits(this.#server);
    this.#server.on("connect", (request, client: Socket, head) => void this.#connect(request, client, head));
    const only = new X509Certificate(clientCertificatePem);
    // The client certificate is compared byte by byte. Verification with its CA would accept every certificate that the CA
    // issues.
    this.#server.on("secureConnection", (client: TLSSocket) => {
      if (!client.getPeerX509Certificate()?.raw.equals(only.raw)) client.destroy();
    });
    this.#server.on("tlsClientError", (error, client) => {
      logger.info(
        { reason: messageOf(error), address: client.remoteAddress },
        "a client without the certificate was refused",
      );
    });
    this.#server.on("connection", (client: Socket) => {
      this.#clients.add(client);
      client.once("close", () => this.#clients.delete(client));
    });
  }

  async start(): Promise<void> {
    const { host, port, healthPort } = this.#options;
    await listen(this.#server, host, port);
    await listen(this.#health, host, healthPort);
  }

  get port(): number {
    return portOf(this.#server);
  }

  get healthPort(): number {
    return portOf(this.#health);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) client.destroy();
    this.#health.closeAllConnections();
    const servers = [this.#server, this.#health].filter((server) => server.listening);
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }

  async #connect({ url = "" }: IncomingMessage, client: Socket, head: Buffer): Promise<void> {
    client.on("error", () => client.destroy());
    const target = hostAndPort(url);
    if (!target) return refuse(client, "400 Bad Request", `"${url.slice(0, 300)}" is no host:port`);
    const reason = this.#reasonAgainst(target);
    if (reason !== undefined) {
      this.#options.logger.info({ ...target, reason }, "a connection was refused");
      return refuse(client, "403 Forbidden", reason);
    }
    const place = this.#tunnels.admit("", client);
    if (!place.isAdmitted) return refuse(client, "503 Service Unavailable", place.reason);
    try {
      const host = await connected(dialTcp(target.host, target.port), handshakeMs);
      grant(client, head);
      await this.#tunnels.join(client, host);
    } catch (error) {
      refuse(client, "400 Bad Request", messageOf(error));
    } finally {
      place.release();
    }
  }

  #reasonAgainst({ host, port }: { readonly host: string; readonly port: number }): string | undefined {
    const { subnet, ports } = this.#options;
    const family = isIP(host);
    if (family === 0) return "the host is no IP address";
    if (!this.#subnet.check(host, family === 6 ? "ipv6" : "ipv4")) return `the host is not in ${subnet}`;
    if (!ports.some(({ first, last }) => port >= first && port <= last))
      return `the port ${port} is not allowed`;
    return undefined;
  }
}

function subnetOf(text: string): BlockList {
  const [address = "", bits = ""] = text.split("/");
  const family = isIP(address);
  const list = new BlockList();
  if (family === 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > (family === 6 ? 128 : 32))
    throw new Error(`the subnet must be a CIDR such as 10.0.0.0/8, not "${text}"`);
  list.addSubnet(address, Number(bits), family === 6 ? "ipv6" : "ipv4");
  return list;
}
