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
  /** 0 takes a free one. */
  readonly port: number;
  /** The server's host key, PEM. */
  readonly hostKey: Secret;
  /** Whether only what FIPS 140-3 approves is negotiated. */
  readonly fips: boolean;
  readonly dial: DialCluster;
  /** After which a connection is cut; an hour when absent. */
  readonly longestMs?: number;
  /** After which a connection on which nothing is typed or shown is cut; a quarter of an hour when absent. */
  readonly idleMs?: number;
  /** After which a silent client is asked whether it is there; one that misses three is gone. 30 s when absent. */
  readonly keepAliveMs?: number;
  /** How long open connections may go on once the proxy stops; not at all when absent. */
  readonly drainMs?: number;
  /** Receives the count of dropped connections. */
  readonly metrics?: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A listening proxy. Disposal takes no more connections, and ends open ones, whose recordings are whole. */
export interface SshProxy extends AsyncDisposable {
  readonly port: number;
}

const defaults = { longestMs: 3_600_000, idleMs: 900_000, keepAliveMs: 30_000, drainMs: 0 };
/** Limits of connections without a correct password. */
const pendingLimits: PendingLimits = { start: 10, full: 100, total: 500, authenticateMs: 20_000 };
/** For connections to end, and what they showed to be stored, behind the time to drain. */
const endMs = 10_000;

interface Accepted {
  readonly socket: Socket;
  readonly pending: PendingConnection;
}

/**
 * Leads administrators to masters by SSH. A password is good for one connection; behind it is a connection to the master with
 * the cluster's key, and every terminal is recorded.
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
  // Sockets are this server's, not the library's: they have limits before their first byte, and an end that a client cannot delay.
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

/** In the form that the library reads. */
function pemOf(hostKey: Secret): string {
  const key = createPrivateKey(hostKey.reveal());
  if (key.asymmetricKeyType === "rsa") return key.export({ type: "pkcs1", format: "pem" }).toString();
  if (key.asymmetricKeyType === "ec") return key.export({ type: "sec1", format: "pem" }).toString();
  throw new Error("the host key of the portal's SSH server must be RSA or ECDSA");
}
