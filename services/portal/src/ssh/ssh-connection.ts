import type { Socket } from "node:net";
import { type Clock, type Logger, messageOf, timeLimit } from "@keelson/base";
import type { ClusterDocument, ServiceDatabase } from "@keelson/model";
import { endSession } from "@keelson/portal-sessions";
import type { Client, Connection } from "ssh2";
import type { SessionWatch } from "../sessions/session-watch.ts";
import type { AttemptLimits } from "./attempt-limits.ts";
import { authenticate } from "./authenticate.ts";
import { bridgeForwards } from "./bridge-forwards.ts";
import { bridgeSession, type ChannelObserver, type SessionStart } from "./bridge-session.ts";
import { connectMaster, type DialCluster } from "./connect-master.ts";
import { RecordedChannel } from "./recorded-channel.ts";
import type { SshSession } from "./use-password.ts";

export interface SshConnectionDeps {
  readonly database: ServiceDatabase;
  readonly fips: boolean;
  readonly dial: DialCluster;
  readonly limits: AttemptLimits;
  readonly sessions: SessionWatch;
  readonly longestMs: number;
  readonly idleMs: number;
  readonly keepAliveMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

const mostTries = 3;
const mostChannels = 64;
/** Time in ms in which the client must close the connection after a disconnect message. */
const goodbyeMs = 2_000;
const removeMs = 10_000;

/**
 * Client connection with the states authenticating, open and ended. The connection ends when its socket is closed. It does not
 * wait for channel events, because the library does not close every channel of a broken connection.
 */
export class SshConnection {
  readonly #deps: SshConnectionDeps;
  readonly #connection: Connection;
  readonly #socket: Socket;
  readonly #over = new AbortController();
  readonly #channels = new Set<{
    readonly observer: ChannelObserver;
    readonly printLine: (line: string) => void;
  }>();
  readonly #stored = new Set<Promise<void>>();
  readonly #closed = Promise.withResolvers<void>();
  #session: SshSession | undefined;
  #isDraining = false;
  #isEnding = false;
  #tries = 0;
  #activeMs: number;

  constructor(connection: Connection, socket: Socket, deps: SshConnectionDeps) {
    this.#connection = connection;
    this.#socket = socket;
    this.#deps = deps;
    this.#activeMs = deps.clock.monotonicMs();
  }

  get socket(): Socket {
    return this.#socket;
  }

  /** Resolves when the socket is closed and the storage of the recordings has succeeded or failed. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  serve(): void {
    const { logger } = this.#deps;
    const connection = this.#connection;
    connection.on("error", (error: Error) => {
      logger.debug({ error: error.message }, "an SSH connection broke");
      this.end();
    });
    this.#socket.once("close", () => this.#finish());
    connection.on("authentication", (context) => {
      if (context.method === "password" && ++this.#tries > mostTries) {
        this.end();
        return;
      }
      const address = this.#socket.remoteAddress ?? "";
      authenticate(context, address, this.#deps, this.#over.signal).then(
        (accepted) => {
          if (!accepted) return;
          if (this.#over.signal.aborted) {
            void this.#removeSession(accepted);
            return;
          }
          // The session must be set before this call, because the library emits `ready` during the call.
          this.#session = accepted;
          context.accept();
        },
        (error: unknown) => {
          logger.error({ error: messageOf(error) }, "a password could not be checked");
          context.reject(["password"]);
        },
      );
    });
    connection.once("ready", () => {
      if (this.#session) this.#open(this.#session);
      else this.end();
    });
  }

  /**
   * Rejects new channels and prints a notice on open terminals. The connection ends after `ms`, or earlier if its client
   * disconnects.
   */
  drain(ms: number): void {
    this.#isDraining = true;
    if (this.#channels.size === 0) {
      this.end();
      return;
    }
    const seconds = Math.ceil(ms / 1_000);
    this.#printLine(
      `The portal is stopping: this connection ends in ${seconds} seconds. Connect again for a new one.`,
    );
    this.#endAfter(ms, "the portal stopped");
  }

  /** Sends a disconnect message. Destroys the socket if the client does not respond. */
  end(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#connection.end();
    this.#deps.clock.sleep(goodbyeMs, this.#over.signal).then(
      () => this.#socket.destroy(),
      () => undefined,
    );
  }

  #finish(): void {
    this.#isEnding = true;
    this.#over.abort();
    for (const { observer } of this.#channels) observer.closed();
    if (this.#session) this.#stored.add(this.#removeSession(this.#session));
    void Promise.allSettled(this.#stored).then(() => this.#closed.resolve());
  }

  /**
   * Deletes the document of the connection's session. If the deletion fails, the document expires one minute after the
   * connection's time limit.
   */
  async #removeSession({ id }: SshSession): Promise<void> {
    const { database, logger } = this.#deps;
    await endSession(database, id, () => true, timeLimit(removeMs)).catch((error: unknown) =>
      logger.warn(
        { session: id, error: messageOf(error) },
        "the session of an SSH connection was not removed",
      ),
    );
  }

  #printLine(line: string): void {
    for (const { printLine } of this.#channels) printLine(line);
  }

  #endAfter(ms: number, reason: string): void {
    this.#deps.clock.sleep(ms, this.#over.signal).then(
      () => {
        this.#deps.logger.info({ session: this.#session?.id, reason }, "SSH connection ended");
        this.end();
      },
      () => undefined,
    );
  }

  #open(session: SshSession): void {
    const connection = this.#connection;
    const { username, id, clusterId, master: index } = session;
    const { longestMs, clock } = this.#deps;
    const logger = this.#deps.logger.child({
      logKind: "access",
      caller: username,
      session: id,
      target: clusterId,
      master: index,
    });
    this.#endAfter(longestMs, "it was open for as long as connections may be");
    void this.#endIdle();
    this.#endWithSession(session);
    const { promise: ready, resolve, reject } = Promise.withResolvers<Client>();
    // The error is logged even if no channel is open. A client that opens a channel later also receives the error.
    ready.catch((error: unknown) =>
      logger.warn({ error: messageOf(error) }, "a master was not reached by SSH"),
    );
    this.#connectTo(session).then((client) => {
      logger.info("SSH connected");
      client.once("close", () => this.end());
      resolve(client);
    }, reject);
    this.#socket.once("close", () => {
      logger.info("SSH disconnected");
      ready.then(
        (client) => {
          client.end();
          clock.sleep(goodbyeMs, timeLimit(2 * goodbyeMs)).then(
            () => client.destroy(),
            () => client.destroy(),
          );
        },
        () => undefined,
      );
    });
    const active = () => {
      this.#activeMs = clock.monotonicMs();
    };
    let channels = 0;
    connection.on("session", (accept, refuse) => {
      if (channels >= mostChannels || this.#isDraining) {
        refuse();
        return;
      }
      channels++;
      const front = accept();
      front.once("close", () => channels--);
      bridgeSession(front, {
        master: ready,
        opened: (start, printLine) => this.#observe(start, printLine, session, logger),
        active,
      });
    });
    bridgeForwards(connection, ready, {
      log: (kind) => logger.info({ channel: kind }, "SSH channel opened"),
      isDraining: () => this.#isDraining,
      active,
    });
  }

  #endWithSession({ id, elevatedUntil }: SshSession): void {
    const { ended, release } = this.#deps.sessions.begin(id, elevatedUntil);
    const end = () => {
      this.#printLine("The session was ended: this connection ends.");
      this.#endAfter(0, "its session ended");
    };
    ended.addEventListener("abort", end, { once: true });
    this.#socket.once("close", release);
  }

  /** Ends the connection after `idleMs` without traffic on any channel. Such a connection may belong to a suspended client. */
  async #endIdle(): Promise<void> {
    const { clock, idleMs } = this.#deps;
    const { signal } = this.#over;
    for (;;) {
      const leftMs = this.#activeMs + idleMs - clock.monotonicMs();
      if (leftMs <= 0) break;
      await clock.sleep(leftMs, signal).catch(() => undefined);
      if (signal.aborted) return;
    }
    this.#printLine(
      `Nothing was typed or shown for ${Math.round(idleMs / 60_000)} minutes: this connection ends.`,
    );
    this.#endAfter(0, "it was idle");
  }

  async #connectTo(session: SshSession): Promise<Client> {
    const { database, dial, fips, keepAliveMs } = this.#deps;
    const { signal } = this.#over;
    const document = await clusterOf(database, session, signal);
    if (!document) throw new Error("the cluster no longer exists");
    return connectMaster({ document, master: session.master, dial, fips, keepAliveMs }, signal);
  }

  #observe(
    start: SessionStart,
    printLine: (line: string) => void,
    session: SshSession,
    logger: Logger,
  ): ChannelObserver {
    const { kind, command } = start;
    const { database, clock } = this.#deps;
    logger.info({ channel: kind, ...(command === undefined ? {} : { command }) }, "SSH channel opened");
    const recorded = new RecordedChannel({ database, session, start, clock, logger });
    let isOpen = true;
    const observer: ChannelObserver = {
      output: (bytes) => recorded.output(bytes),
      resized: (width, height) => recorded.resized(width, height),
      closed: () => {
        if (!isOpen) return;
        isOpen = false;
        this.#channels.delete(channel);
        logger.info({ channel: kind }, "SSH channel closed");
        const stored = recorded.close();
        this.#stored.add(stored);
        void stored.finally(() => this.#stored.delete(stored));
      },
    };
    const channel = { observer, printLine };
    this.#channels.add(channel);
    // The connection was lost before the channel was open.
    if (this.#over.signal.aborted) observer.closed();
    return observer;
  }
}

async function clusterOf(
  database: ServiceDatabase,
  { clusterId, clusterDocumentId }: SshSession,
  signal: AbortSignal,
): Promise<ClusterDocument | undefined> {
  const [, , subscription = ""] = clusterId.split("/");
  return (await database.collections.clusters.find(subscription, clusterDocumentId, signal))?.document;
}
