import { createPrivateKey } from "node:crypto";
import { type Clock, type Logger, messageOf, type Secret } from "@keelson/base";
import type { ClusterDocument, ServiceDatabase } from "@keelson/model";
import ssh2, { type AuthContext, type Client, type ClientInfo, type Connection } from "ssh2";
import { sshAlgorithms } from "./algorithms.ts";
import { AttemptLimits } from "./attempt-limits.ts";
import { bridgeForwards } from "./bridge-forwards.ts";
import { bridgeSession, type ChannelObserver, type SessionStart } from "./bridge-session.ts";
import { connectMaster, type DialCluster } from "./connect-master.ts";
import { RecordedChannel } from "./recorded-channel.ts";
import { type SshSession, usePassword } from "./use-password.ts";

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
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface SshProxy extends AsyncDisposable {
  readonly port: number;
}

const hourMs = 3_600_000;
const keepAliveMs = 30_000;
/** From the connection to the password. */
const loginMs = 60_000;
const mostConnections = 500;
const drainMs = 2_000;
const mostTries = 3;
const mostChannels = 64;

/**
 * Leads administrators to masters by SSH. A password is good for one connection; behind it is a connection to the master with
 * the cluster's key, and every terminal is recorded.
 */
export async function startSshProxy(options: SshProxyOptions): Promise<SshProxy> {
  const { clock, host, port, hostKey, fips, logger } = options;
  const open = new Set<Connection>();
  const limits = new AttemptLimits(options.clock);
  const stopped = new AbortController();
  const server = new ssh2.Server(
    {
      hostKeys: [pemOf(hostKey)],
      algorithms: sshAlgorithms(fips),
      ident: "Keelson",
      keepaliveInterval: keepAliveMs,
      keepaliveCountMax: 3,
    },
    (connection, info) => {
      connection.on("error", (error: Error) =>
        logger.debug({ error: error.message }, "an SSH connection broke"),
      );
      if (open.size >= mostConnections) {
        connection.end();
        return;
      }
      open.add(connection);
      connection.once("close", () => open.delete(connection));
      serveConnection(connection, info, { ...options, limits, signal: stopped.signal });
    },
  );
  server.on("error", (error: Error) => logger.warn({ error: error.message }, "the SSH server had an error"));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(port, host, resolve);
  await promise;
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      stopped.abort();
      for (const connection of open) connection.end();
      // Those that do not answer are not waited for.
      await Promise.race([closed, clock.sleep(drainMs, AbortSignal.timeout(2 * drainMs))]);
    },
  };
}

interface ConnectionDeps extends SshProxyOptions {
  readonly limits: AttemptLimits;
  readonly signal: AbortSignal;
}

function serveConnection(connection: Connection, { ip }: ClientInfo, deps: ConnectionDeps): void {
  const { clock } = deps;
  const over = new AbortController();
  const signal = AbortSignal.any([deps.signal, over.signal]);
  connection.once("close", () => over.abort());
  const login = new AbortController();
  const cutAfter = (ms: number, until: AbortSignal) =>
    void clock.sleep(ms, until).then(
      () => connection.end(),
      () => undefined,
    );
  cutAfter(loginMs, AbortSignal.any([signal, login.signal]));
  let session: SshSession | undefined;
  let tries = 0;
  connection.on("authentication", (context) => {
    if (context.method === "password" && ++tries > mostTries) connection.end();
    else {
      authenticate(context, ip, deps, signal).then(
        (accepted) => {
          if (!accepted) return;
          // The library says that it is ready within this call.
          session = accepted;
          context.accept();
        },
        (error: unknown) => {
          deps.logger.error({ error: messageOf(error) }, "a password could not be checked");
          context.reject(["password"]);
        },
      );
    }
  });
  connection.once("ready", () => {
    login.abort();
    if (!session) {
      connection.end();
      return;
    }
    cutAfter(deps.longestMs ?? hourMs, signal);
    serveSession(connection, session, deps, signal);
  });
}

/** The session that a password opens, once it is accepted. Passwords are in no log. */
async function authenticate(
  context: AuthContext,
  address: string,
  { database, limits, logger }: ConnectionDeps,
  signal: AbortSignal,
): Promise<SshSession | undefined> {
  if (context.method !== "password") {
    context.reject(["password"]);
    return undefined;
  }
  const { username: user, password } = context;
  const refuse = (reason: string) => {
    logger.warn(
      { logKind: "access", address, user: user.slice(0, 100), reason },
      "SSH authentication failed",
    );
    context.reject(["password"]);
    return undefined;
  };
  if (!limits.allows(address, user)) return refuse("too many wrong passwords");
  const result = await usePassword(database, { user, password }, signal);
  if (result.kind === "refused") {
    limits.failed(address, user);
    return refuse(result.reason);
  }
  const { session } = result;
  logger.info(
    { logKind: "access", address, caller: session.username, session: session.id, target: session.clusterId },
    "SSH authentication succeeded",
  );
  return session;
}

function serveSession(
  connection: Connection,
  session: SshSession,
  deps: ConnectionDeps,
  signal: AbortSignal,
): void {
  const { username, id, clusterId, master: index } = session;
  const logger = deps.logger.child({
    logKind: "access",
    caller: username,
    session: id,
    target: clusterId,
    master: index,
  });
  const { promise: ready, resolve, reject } = Promise.withResolvers<Client>();
  // A client that opens a channel reads of a failure; it is in the log in any case.
  ready.catch((error: unknown) =>
    logger.warn({ error: messageOf(error) }, "a master was not reached by SSH"),
  );
  connectTo(session, deps, signal).then((client) => {
    logger.info("SSH connected");
    client.once("close", () => connection.end());
    resolve(client);
  }, reject);
  connection.once("close", () => {
    logger.info("SSH disconnected");
    ready.then(
      (client) => client.end(),
      () => undefined,
    );
  });
  let channels = 0;
  connection.on("session", (accept, refuse) => {
    if (channels >= mostChannels) {
      refuse();
      return;
    }
    channels++;
    const front = accept();
    front.once("close", () => channels--);
    bridgeSession(front, { master: ready, opened: (start) => observe(start, session, deps, logger) });
  });
  bridgeForwards(connection, ready, (kind) => logger.info({ channel: kind }, "SSH channel opened"));
}

async function connectTo(session: SshSession, deps: ConnectionDeps, signal: AbortSignal): Promise<Client> {
  const { database, dial, fips } = deps;
  const document = await clusterOf(database, session.clusterId, signal);
  if (!document) throw new Error("the cluster no longer exists");
  return connectMaster({ document, master: session.master, dial, fips, keepAliveMs }, signal);
}

async function clusterOf(
  database: ServiceDatabase,
  key: string,
  signal: AbortSignal,
): Promise<ClusterDocument | undefined> {
  const [, , subscription = ""] = key.split("/");
  return (await database.collections.clusters.findBy(subscription, "key", key, signal))?.document;
}

function observe(
  start: SessionStart,
  session: SshSession,
  { database, clock }: ConnectionDeps,
  logger: Logger,
): ChannelObserver {
  const { kind, command } = start;
  logger.info({ channel: kind, ...(command === undefined ? {} : { command }) }, "SSH channel opened");
  const recorded = new RecordedChannel({ database, session, start, clock, logger });
  return {
    output: (bytes) => recorded.output(bytes),
    resized: (width, height) => recorded.resized(width, height),
    closed() {
      logger.info({ channel: kind }, "SSH channel closed");
      void recorded.close();
    },
  };
}

/** In the form that the library reads. */
function pemOf(hostKey: Secret): string {
  const key = createPrivateKey(hostKey.reveal());
  if (key.asymmetricKeyType === "rsa") return key.export({ type: "pkcs1", format: "pem" }).toString();
  if (key.asymmetricKeyType === "ec") return key.export({ type: "sec1", format: "pem" }).toString();
  throw new Error("the host key of the portal's SSH server must be RSA or ECDSA");
}
