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
  /** Port. 0 selects a free port. */
  readonly port: number;
  /** Host key of the server, PEM. */
  readonly hostKey: Secret;
  /** True if only algorithms approved by FIPS 140-3 are negotiated. */
  readonly fips: boolean;
  readonly dial: DialCluster;
  /** Maximum duration of a connection. Default: one hour. */
  readonly longestMs?: number;
  /** Maximum time without input or output. Default: 15 minutes. */
  readonly idleMs?: number;
  /**
   * Interval of keep-alive requests to a silent client. After three missed responses it is disconnected.
   * Default: 30 s.
   */
  readonly keepAliveMs?: number;
  /** Time that open connections may continue after the proxy stops. Default: 0. */
  readonly drainMs?: number;
  /** Receives the count of dropped connections. */
  readonly metrics?: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Listening proxy. Disposal stops accepting, and ends open connections with complete recordings. */
export interface SshProxy extends AsyncDisposable {
  readonly port: number;
}

const defaults = { longestMs: 3_600_000, idleMs: 900_000, keepAliveMs: 30_000, drainMs: 0 };
/** Limits of connections without a correct password. */
const pendingLimits: PendingLimits = { start: 10, full: 100, total: 500, authenticateMs: 20_000 };
/** Time limit after the drain for ending connections and storing their output. */
const endMs = 10_000;

interface Accepted {
  readonly socket: Socket;
  readonly pending: PendingConnection;
}

/**
 * Connects administrators to masters over SSH. A password is valid for one connection. The proxy connects to the
 * master with the cluster's key and records every terminal.
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
  // The sockets belong to this server, not to the library. They have limits before their first byte, and a
  // client cannot delay their end.
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

/** Converts the key to a format of the library. */
function pemOf(hostKey: Secret): string {
  const key = createPrivateKey(hostKey.reveal());
  if (key.asymmetricKeyType === "rsa") return key.export({ type: "pkcs1", format: "pem" }).toString();
  if (key.asymmetricKeyType === "ec") return key.export({ type: "sec1", format: "pem" }).toString();
  throw new Error("the host key of the portal's SSH server must be RSA or ECDSA");
}
