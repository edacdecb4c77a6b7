import { createServer, type Server, type Socket } from "node:net";
import { type Clock, type Logger, type Metrics, messageOf, withTimeout } from "@keelson/base";
import { type Change, followChanges } from "@keelson/database";
import { countDropped, listen, PendingConnections } from "@keelson/http";
import type { GatewayDatabase } from "@keelson/model";
import { ConnectEntrance } from "./connect-entrance.ts";
import { Connections, type ConnectionsOptions } from "./connections.ts";
import { gatewayMetrics } from "./gateway-metrics.ts";
import { AllowedHosts, type AllowedHostsOptions } from "./policy/allowed-hosts.ts";
import { LinkRecords } from "./policy/link-records.ts";
import { enterByTls } from "./tls-entrance.ts";
import { type TunnelLimits, Tunnels } from "./tunnel/tunnels.ts";

export interface GatewayOptions extends AllowedHostsOptions, Pick<ConnectionsOptions, "dial"> {
  readonly database: GatewayDatabase;
  /** Address to listen on. */
  readonly host: string;
  /** HTTP CONNECT port. 0 selects a free port. */
  readonly connectPort: number;
  /** TLS port. 0 selects a free port. */
  readonly tlsPort: number;
  readonly limits: TunnelLimits;
  /** Time limit in ms for a client's request. The connection to the requested host has the same time limit. */
  readonly handshakeMs: number;
  /**
   * Time in ms for which a draining gateway still accepts connections. Load balancers need this time to detect that the gateway
   * is not ready.
   */
  readonly serveOnMs: number;
  /** Time limit in ms for open connections at the end of a drain. */
  readonly drainMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface Gateway extends AsyncDisposable {
  readonly connectPort: number;
  readonly tlsPort: number;
  /** True if the private link records are loaded and no drain has started. */
  ready(): boolean;
  /** Drains the gateway. Resolves after all connections have ended, at most `serveOnMs` plus `drainMs` after the call. */
  drain(): Promise<void>;
}

const heartbeatMs = 10_000;
/**
 * Fraction of the pending connection limit that is reserved for connections that arrive without a private link, such as health
 * probes.
 */
const reservedShare = 0.05;

/** Starts the gateway. Disposal closes all connections. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const gateway = new RunningGateway(options);
  try {
    await gateway.start();
    return gateway;
  } catch (error) {
    await gateway[Symbol.asyncDispose]();
    throw error;
  }
}

class RunningGateway implements Gateway {
  readonly #options: GatewayOptions;
  readonly #records: LinkRecords;
  readonly #tunnels: Tunnels;
  readonly #metrics;
  readonly #servers: Record<"connect" | "tls", Server>;
  readonly #ports = { connect: 0, tls: 0 };
  readonly #clients = new Set<Socket>();
  readonly #stop = new AbortController();
  #isDraining = false;
  #tasks: readonly Promise<void>[] = [];

  constructor(options: GatewayOptions) {
    const { database, limits, handshakeMs, logger } = options;
    this.#options = options;
    this.#records = new LinkRecords(database);
    this.#tunnels = new Tunnels(limits);
    this.#metrics = gatewayMetrics(options.metrics);
    const shared = { handshakeMs, logger, metrics: this.#metrics };
    const connections = new Connections({
      ...shared,
      dial: options.dial,
      records: this.#records,
      hosts: new AllowedHosts(options),
      tunnels: this.#tunnels,
      pending: new PendingConnections({
        start: limits.perCluster,
        full: limits.perCluster,
        total: limits.total,
        reserved: Math.ceil(reservedShare * limits.total),
        authenticateMs: handshakeMs,
        clock: options.clock,
        dropped: countDropped(options.metrics, "gateway"),
      }),
    });
    const entrance = new ConnectEntrance({ ...shared, connections, isReady: () => this.ready() });
    this.#servers = {
      connect: this.#server(connections, (client) => entrance.enter(client)),
      tls: this.#server(connections, (client) => enterByTls(client, { ...shared, connections })),
    };
  }

  async start(): Promise<void> {
    const { database, clock, logger, host, connectPort, tlsPort } = this.#options;
    const signal = this.#stop.signal;
    const changes = database.changes(signal);
    this.#tasks = [
      followChanges(changes, (change) => this.#apply(change), {
        clock,
        logger,
        signal,
      }),
      this.#beat(),
    ];
    this.#ports.connect = await listen(this.#servers.connect, host, connectPort);
    this.#ports.tls = await listen(this.#servers.tls, host, tlsPort);
  }

  get connectPort(): number {
    return this.#ports.connect;
  }

  get tlsPort(): number {
    return this.#ports.tls;
  }

  ready(): boolean {
    return this.#records.isLoaded && !this.#isDraining;
  }

  async drain(): Promise<void> {
    const { clock, serveOnMs, drainMs, logger } = this.#options;
    this.#isDraining = true;
    await clock.sleep(serveOnMs, this.#stop.signal).catch(() => undefined);
    const closed = this.#close();
    const limit = new AbortController();
    const overdue = clock.sleep(drainMs, limit.signal).then(
      () => {
        logger.warn({ open: this.#tunnels.open }, "connections that did not end are cut off");
        this.#endAll();
      },
      () => undefined,
    );
    await closed;
    limit.abort();
    await overdue;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDraining = true;
    this.#stop.abort();
    this.#endAll();
    await this.#close();
    await Promise.all(this.#tasks);
  }

  #server(connections: Connections, enter: (client: Socket) => Promise<void>): Server {
    return createServer({ allowHalfOpen: true, noDelay: true, keepAlive: true }, (client) => {
      this.#clients.add(client);
      client.once("close", () => this.#clients.delete(client));
      connections.accept(client);
      void enter(client);
    });
  }

  async #close(): Promise<void> {
    const servers = Object.values(this.#servers).filter((server) => server.listening);
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }

  #endAll(): void {
    for (const client of this.#clients) client.destroy();
  }

  /** Applies a change. Closes the connections of links that no longer belong to their previous clusters. */
  async #apply(change: Change): Promise<void> {
    for (const linkId of await this.#records.apply(change, this.#stop.signal)) this.#tunnels.endLink(linkId);
  }

  /** Updates two metrics: the heartbeat and the age of the cached records. */
  async #beat(): Promise<void> {
    const { database, clock, logger } = this.#options;
    const signal = this.#stop.signal;
    while (!signal.aborted) {
      try {
        await database.ping(withTimeout(signal, heartbeatMs));
        if (this.#records.isLoaded)
          this.#metrics.lastChangeFeed.set(Math.floor(clock.now().getTime() / 1_000));
      } catch (error) {
        if (!signal.aborted) logger.warn({ reason: messageOf(error) }, "the database does not answer");
      }
      if (this.ready()) this.#metrics.heartbeat.set(1);
      await clock.sleep(heartbeatMs, signal).catch(() => undefined);
    }
  }
}
