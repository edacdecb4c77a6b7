import { createPrivateKey } from "node:crypto";
import { createServer, type Socket } from "node:net";
import type { Clock, Logger, Metrics, Secret } from "@keelson/base";
import {
  connectionSource,
  countDropped,
  listen,
  type PendingConnection,
  PendingConnections,
  type PendingLimits,
} from "@keelson/http";
import type { ServiceDatabase } from "@keelson/model";
import ssh2 from "ssh2";
import { SessionWatch } from "../sessions/session-watch.ts";
import { sshAlgorithms } from "./algorithms.ts";
import { AttemptLimits } from "./attempt-limits.ts";
import type { DialCluster } from "./connect-master.ts";
import { SshConnection } from "./ssh-connection.ts";

export interface SshProxyOptions {
  readonly database: ServiceDatabase;
  readonly host: string;
  /** TCP port. 0 selects a free port. */
  readonly port: number;
  /** Host key of the SSH server in PEM. */
  readonly hostKey: Secret;
  /** True if only algorithms that FIPS 140-3 approves are allowed. */
  readonly fips: boolean;
  readonly dial: DialCluster;
  /** Maximum duration of a connection in ms. Default: one hour. */
  readonly longestMs?: number;
  /** Maximum time in ms without input or output. Default: 15 minutes. */
  readonly idleMs?: number;
  /**
   * Interval in ms between keep-alive requests to a client that sends nothing. After three requests without response, the client
   * is disconnected. Default: 30 s.
   */
  readonly keepAliveMs?: number;
  /** Time in ms for which open connections may continue when the proxy stops. Default: 0. */
  readonly drainMs?: number;
  /** Metrics for the number of dropped connections. */
  readonly metrics?: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * SSH proxy that accepts connections. Disposal stops the proxy, ends open connections, and waits until their recordings are
 * stored.
 */
export interface SshProxy extends AsyncDisposable {
  readonly port: number;
}

const defaults = { longestMs: 3_600_000, idleMs: 900_000, keepAliveMs: 30_000, drainMs: 0 };
/** Limits for connections that are not authenticated yet. */
const pendingLimits: PendingLimits = { start: 10, full: 100, total: 500, authenticateMs: 20_000 };
/** Time limit in ms after the drain. Within this time, connections end and their output is stored. */
const endMs = 10_000;

interface Accepted {
  readonly socket: Socket;
  readonly pending: PendingConnection;
}

/**
 * Starts an SSH server through which administrators connect to masters. A password is valid for one connection. The proxy signs
 * in to the master with the cluster's key, and records every terminal.
 */
export async function startSshProxy(options: SshProxyOptions): Promise<SshProxy> {
  const { clock, host, port, hostKey, fips, logger } = options;
  const { longestMs, idleMs, keepAliveMs, drainMs } = { ...defaults, ...options };
  const sockets = new Map<string, Accepted>();
  const open = new Set<SshConnection>();
  const deps = {
    ...{ database: options.database, dial: options.dial, fips, clock, logger },
    ...{ limits: new AttemptLimits(clock), sessions: new SessionWatch(options) },
    ...{ longestMs, idleMs, keepAliveMs },
  };
  const dropped = countDropped(options.metrics, "portal_ssh");
  const unauthenticated = new PendingConnections({ ...pendingLimits, clock, dropped });
  const ssh = new ssh2.Server(
    {
      hostKeys: [pemOf(hostKey)],
      algorithms: sshAlgorithms(fips),
      ident: "Keelson",
      keepaliveInterval: keepAliveMs,
      keepaliveCountMax: 3,
    },
    (connection, { ip, port: from }) => {
      const accepted = sockets.get(addressOf(ip, from));
      if (!accepted) {
        connection.end();
        return;
      }
      connection.once("ready", () => accepted.pending.remove());
      const served = new SshConnection(connection, accepted.socket, deps);
      open.add(served);
      void served.closed.then(() => open.delete(served));
      served.serve();
    },
  );
  // This server owns the sockets instead of the library. It can therefore limit sockets before their first byte, and close them
  // without waiting for the client.
  const server = createServer((socket) => {
    const { remoteAddress = "" } = socket;
    const address = addressOf(remoteAddress, socket.remotePort);
    socket.on("error", () => socket.destroy());
    const pending = unauthenticated.add(connectionSource(remoteAddress), () => socket.destroy());
    if (socket.destroyed) return;
    sockets.set(address, { socket, pending });
    socket.once("close", () => {
      sockets.delete(address);
      pending.remove();
    });
    ssh.injectSocket(socket);
  });
  const bound = await listen(server, host, port);
  server.on("error", (error) => logger.warn({ error: error.message }, "the SSH server had an error"));
  return {
    port: bound,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      const stored = Promise.all([...open].map((each) => each.closed));
      const served = new Set([...open].map(({ socket }) => socket));
      for (const { socket } of sockets.values()) if (!served.has(socket)) socket.destroy();
      for (const each of open) each.drain(drainMs);
      const over = new AbortController();
      const late = clock.sleep(drainMs + endMs, over.signal).catch(() => undefined);
      await Promise.race([Promise.all([closed, stored]), late]);
      over.abort();
      for (const { socket } of sockets.values()) socket.destroy();
    },
  };
}

function addressOf(ip: string | undefined, port: number | undefined): string {
  return `${ip} ${port}`;
}

/** Converts the host key to a format that the library supports. */
function pemOf(hostKey: Secret): string {
  const key = createPrivateKey(hostKey.reveal());
  if (key.asymmetricKeyType === "rsa") return key.export({ type: "pkcs1", format: "pem" }).toString();
  if (key.asymmetricKeyType === "ec") return key.export({ type: "sec1", format: "pem" }).toString();
  throw new Error("the host key of the portal's SSH server must be RSA or ECDSA");
}
