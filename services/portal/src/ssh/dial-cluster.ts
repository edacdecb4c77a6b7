import { once } from "node:events";
import { connect as connectTcp, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import type { DialCluster } from "./connect-master.ts";

export interface ConnectProxy {
  /** URL of the proxy, with the scheme `http:` or `https:`. */
  readonly url: string;
  /** TLS settings for the proxy: its CA certificate and the client certificate. */
  readonly tls?: Pick<ConnectionOptions, "ca" | "cert" | "key">;
}

const maxHeadBytes = 8_192;

/**
 * Returns a function that connects to addresses in clusters' networks. It connects directly, or through a proxy with the method
 * `CONNECT`.
 */
export function clusterDialer(proxy?: ConnectProxy): DialCluster {
  if (!proxy) return dialDirectly;
  return async (address, port, signal) => {
    const socket = await openProxy(proxy, signal);
    try {
      await askFor(socket, `${address}:${port}`, signal);
      return socket;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  };
}

async function dialDirectly(address: string, port: number, signal: AbortSignal): Promise<Duplex> {
  return connected(connectTcp({ host: address, port, keepAlive: true }), "connect", signal);
}

function openProxy({ url, tls }: ConnectProxy, signal: AbortSignal): Promise<Socket> {
  const { protocol, hostname, port } = new URL(url);
  const isTls = protocol === "https:";
  const target = { host: hostname, port: Number(port || (isTls ? 443 : 80)) };
  if (!isTls) return connected(connectTcp(target), "connect", signal);
  return connected(connectTls({ ...target, ...tls, servername: hostname }), "secureConnect", signal);
}

async function connected<S extends Socket>(socket: S, event: string, signal: AbortSignal): Promise<S> {
  try {
    await once(socket, event, { signal });
    // Without this listener, an error that occurs before the caller adds a listener would terminate the process.
    socket.on("error", () => undefined);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Sends the `CONNECT` request and reads the response headers. Bytes that follow the headers stay in the socket. */
async function askFor(socket: Socket, target: string, signal: AbortSignal): Promise<void> {
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
  let head = Buffer.alloc(0);
  for (;;) {
    signal.throwIfAborted();
    const chunk: unknown = socket.read();
    if (Buffer.isBuffer(chunk)) head = Buffer.concat([head, chunk]);
    const end = head.indexOf("\r\n\r\n");
    if (end >= 0) {
      const status = /^HTTP\/1\.[01] (\d{3})/.exec(head.toString("latin1", 0, end))?.[1];
      if (status !== "200") throw new Error(`the proxy to clusters returned status ${status ?? "none"}`);
      if (head.length > end + 4) socket.unshift(head.subarray(end + 4));
      return;
    }
    if (head.length > maxHeadBytes) throw new Error("the proxy to clusters answered with too long a head");
    if (chunk === null) {
      if (socket.readableEnded || socket.destroyed)
        throw new Error("the proxy to clusters closed the connection");
      await Promise.race([once(socket, "readable", { signal }), once(socket, "end", { signal })]);
    }
  }
}
