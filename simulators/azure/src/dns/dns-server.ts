import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { type Logger, messageOf } from "@keelson/base";
import type { Subscription } from "../arm/subscription.ts";
import { answerMessage } from "./message.ts";
import { type ClusterAddress, ZoneIndex } from "./zone-index.ts";

export interface DnsServerOptions {
  readonly host: string;
  /** UDP and TCP port. 0 selects a port that is free for UDP and for TCP. */
  readonly port: number;
  /** Returns the address for the names `api` and `api-int` of a cluster. Default: the A records of the zone. */
  readonly clusterAddress?: ClusterAddress;
}

export interface DnsServer extends AsyncDisposable {
  readonly port: number;
}

/**
 * Maximum number of TCP connections. DNS resolvers need fewer connections. Connections above this number are closed immediately.
 */
const maxConnections = 100;
const idleMs = 10_000;
/** Maximum number of attempts to find a port that is free for UDP and TCP. */
const attempts = 20;

/** Starts an authoritative DNS server for the subscription's public DNS zones. The server does not support recursion. */
export async function startDnsServer(
  { host, port, clusterAddress }: DnsServerOptions,
  subscription: Subscription,
  logger: Logger,
): Promise<DnsServer> {
  const zones = new ZoneIndex(subscription, clusterAddress);
  const open = new Set<Socket>();
  for (let attempt = 1; ; attempt++) {
    const tcp = tcpServer(zones, open, logger);
    tcp.listen({ host, port });
    await once(tcp, "listening");
    const address = tcp.address();
    const chosen = typeof address === "object" && address ? address.port : port;
    try {
      const udp = await udpSocket(zones, host, chosen, logger);
      return { port: chosen, [Symbol.asyncDispose]: () => close(tcp, udp, open) };
    } catch (error) {
      await new Promise((resolve) => tcp.close(resolve));
      if (port !== 0 || attempt === attempts) throw error;
    }
  }
}

async function udpSocket(zones: ZoneIndex, host: string, port: number, logger: Logger): Promise<UdpSocket> {
  const socket = createSocket(host.includes(":") ? "udp6" : "udp4");
  socket.on("message", (message, from) => {
    const answer = safely(zones, message, "udp", logger);
    if (answer) socket.send(answer, from.port, from.address, () => {});
  });
  const bound = once(socket, "listening");
  socket.bind({ address: host, port });
  try {
    await bound;
  } catch (error) {
    socket.close();
    throw error;
  }
  socket.on("error", (error) => logger.warn({ error: messageOf(error) }, "DNS socket failed"));
  return socket;
}

/**
 * Returns a TCP server for DNS messages with a length prefix (RFC 7766). Messages are processed in order. Idle clients are
 * disconnected.
 */
function tcpServer(zones: ZoneIndex, open: Set<Socket>, logger: Logger): Server {
  const server = createServer((socket) => {
    open.add(socket);
    let pending = Buffer.alloc(0);
    socket.setTimeout(idleMs, () => socket.destroy());
    socket.on("error", () => socket.destroy());
    socket.once("close", () => open.delete(socket));
    socket.on("data", (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
        const end = 2 + pending.readUInt16BE(0);
        const answer = safely(zones, pending.subarray(2, end), "tcp", logger);
        pending = pending.subarray(end);
        if (!answer) return void socket.destroy();
        const length = Buffer.alloc(2);
        length.writeUInt16BE(answer.length);
        socket.write(Buffer.concat([length, answer]));
      }
    });
  });
  server.maxConnections = maxConnections;
  return server;
}

/** Handles one message. An error does not affect the handling of other messages. */
function safely(
  zones: ZoneIndex,
  message: Buffer,
  transport: "udp" | "tcp",
  logger: Logger,
): Buffer | undefined {
  try {
    return answerMessage(zones, message, transport);
  } catch (error) {
    logger.error({ error: messageOf(error) }, "no response was sent to a DNS message");
    return undefined;
  }
}

async function close(tcp: Server, udp: UdpSocket, open: ReadonlySet<Socket>): Promise<void> {
  const closed = Promise.all([
    new Promise((resolve) => tcp.close(resolve)),
    new Promise<void>((resolve) => udp.close(() => resolve())),
  ]);
  for (const socket of open) socket.destroy();
  await closed;
}
