import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { createServer as createTcpServer, type Socket } from "node:net";
import type { SecureContext } from "node:tls";
import { failures, requestBudget } from "@keelson/apimachinery";
import { messageOf, requireOptions, startTimeLimit } from "@keelson/base";
import {
  bufferPipelinedRequests,
  extendReceiveLimits,
  handshakeTimeoutMs,
  keepAliveTimeoutMs,
} from "@keelson/http";
import {
  GroupCommit,
  type Journal,
  type LogRecord,
  memoryJournal,
  openSqliteJournal,
} from "@keelson/sim-store";
import type { ApiServer, ApiServerOptions, OpenedApiServer } from "./api-server.ts";
import { advertisedAddress } from "./cluster/advertised-address.ts";
import { Cluster } from "./cluster/cluster.ts";
import type { LogicalCluster, LogicalClusterOptions } from "./cluster/logical-cluster.ts";
import { ServingCertificates } from "./cluster/serving-certificates.ts";
import { type ClusterSettings, formatSettings, parseSettings, settingsOf } from "./cluster/settings.ts";
import { errors } from "./errors.ts";
import { handleRequest } from "./http/handle-request.ts";
import { respondWhileLoading, responseForServer } from "./http/health-handler.ts";
import { Http2Connections, offeredProtocols } from "./http/http2-connections.ts";
import { parseTarget } from "./http/messages/request.ts";
import { sendError } from "./http/messages/respond.ts";
import { mayUpgrade, type Upgrade, upgradeOf } from "./http/messages/upgrade.ts";
import { FrameCache } from "./http/messages/watch-stream.ts";
import { defaultLimits, type ServerLimits, ServerLoad } from "./http/server-load.ts";
import { type FindServer, routeByServerName } from "./http/server-name-router.ts";
import { sendBadRequest } from "./invalid-requests.ts";
import { closeListener, drainMs, type Listener, listenOn, portOf } from "./listener.ts";
import { RevisionStore } from "./storage/revision-store.ts";
import { SharedHistory } from "./storage/shared-history.ts";
import { storageFailure } from "./storage/storage-failure.ts";
import type { NetworkAddress } from "./webhooks/webhook-client.ts";

const clusterName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
/** Maximum age in milliseconds of a revision at which a watch may start. */
const historyMs = 300_000;
const forgetEveryMs = 30_000;
const maxHeaderBytes = 64 * 1_024;
const requestTimeoutMs = 60_000;
const headersTimeoutMs = 10_000;
/** Interval in milliseconds of the check for idle and slow connections. */
const idleCheckMs = 2_000;
const keepAliveProbeMs = 30_000;
/**
 * Starts a server and opens the clusters in its storage. Resolves when the server listens.
 * @throws CodedError OptionMissing, PortTaken, StorageUnusable
 */
export async function startApiServer(options: ApiServerOptions): Promise<ApiServer> {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await createServer("startApiServer", options));
  await server.listen();
  await server.load();
  await server.serve();
  stack.move();
  return server;
}

/**
 * Loads the clusters in the storage of a server that does not listen yet. `port` must not be 0, because clusters publish it.
 * @throws CodedError OptionMissing, StorageUnusable
 */
export async function openApiServer(options: ApiServerOptions): Promise<OpenedApiServer> {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await createServer("openApiServer", options));
  await server.load();
  stack.move();
  return {
    async listen() {
      await server.listen();
      await server.serve();
      return server;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function createServer(caller: string, options: ApiServerOptions): Promise<RunningApiServer> {
  requireOptions(caller, options, ["host", "port", "tls", "storage", "logger", "clock"]);
  const { storage } = options;
  const journal = storage.kind === "file" ? await openSqliteJournal(storage.path) : memoryJournal();
  return new RunningApiServer(options, journal);
}

class RunningApiServer implements ApiServer {
  readonly #options: ApiServerOptions;
  readonly #journal: Journal;
  readonly #commits: GroupCommit;
  readonly #limits: ServerLimits;
  readonly #load: ServerLoad;
  readonly #servingCertificates = new ServingCertificates();
  readonly #histories = new SharedHistory();
  readonly #frames = new FrameCache();
  readonly #clusters = new Map<
    string,
    { readonly cluster: Cluster; readonly id: number; readonly store: RevisionStore }
  >();
  /** Names of clusters that are being created. */
  readonly #coming = new Set<string>();
  readonly #sockets = new Set<Socket>();
  readonly #listener: Listener;
  /** Listeners that serve a single cluster, by cluster name. */
  readonly #clusterListeners = new Map<string, Promise<Listener>>();
  readonly #closed = new AbortController();
  #ready = false;
  #closing: Promise<void> | undefined;

  constructor(options: ApiServerOptions, journal: Journal) {
    this.#options = options;
    this.#journal = journal;
    this.#commits = new GroupCommit(journal, storageFailure, (error) =>
      options.logger.error({ error: messageOf(error) }, "a listener of stored changes failed"),
    );
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#load = new ServerLoad(this.#limits);
    this.#listener = this.#createListener(options.rootCluster);
    if (options.findServer) this.#route(this.#listener, options.findServer);
  }

  /** Makes a listener forward connections for host names of other servers. */
  #route({ server }: Listener, find: FindServer): void {
    const { logger } = this.#options;
    routeByServerName(server, { serves: (name) => this.serves(name), find, logger });
    // Forwarded connections are tracked too, so that they end with the server.
    server.on("connection", (socket: Socket) => this.#track(socket));
  }

  /** Creates a server that does not listen yet. The server serves the cluster `rootCluster` at the root of its URL. */
  #createListener(rootCluster: string | undefined): Listener {
    const { tls } = this.#options;
    const answer = (request: IncomingMessage, response: ServerResponse) => {
      if (!request.socket.destroyed) this.#handle(request, response, rootCluster);
    };
    const server = createHttpsServer(
      {
        ALPNProtocols: offeredProtocols,
        cert: tls.certificatePem,
        key: tls.privateKeyPem,
        requestCert: true,
        // Each cluster has its own CAs. Client certificates are therefore verified for each request, not by TLS.
        rejectUnauthorized: false,
        SNICallback: (name, done) => this.#selectCertificate(name, done),
        minVersion: "TLSv1.2",
        maxHeaderSize: maxHeaderBytes,
        requestTimeout: requestTimeoutMs,
        headersTimeout: headersTimeoutMs,
        handshakeTimeout: handshakeTimeoutMs,
        keepAliveTimeout: keepAliveTimeoutMs,
        connectionsCheckingInterval: idleCheckMs,
        keepAlive: true,
        keepAliveInitialDelay: keepAliveProbeMs,
        noDelay: true,
        shouldUpgradeCallback: mayUpgrade,
      },
      answer,
    );
    const http2 = new Http2Connections(server, answer);
    bufferPipelinedRequests(server);
    extendReceiveLimits(server);
    server.on("upgrade", (incoming, socket, head) => {
      const { upgrade, response } = upgradeOf(incoming, socket, head);
      this.#handle(incoming, response, rootCluster, upgrade);
    });
    server.maxConnections = 2 * this.#limits.connections;
    server.on("clientError", sendBadRequest);
    server.on("connection", (socket: Socket) => this.#track(socket));
    return { server, http2 };
  }

  #track(socket: Socket): void {
    if (this.#sockets.has(socket)) return;
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
  }

  get port(): number {
    return portOf(this.#listener) ?? this.#options.port;
  }

  get url(): string {
    const { publicUrl, host } = this.#options;
    if (publicUrl) return publicUrl.replace(/\/$/, "");
    return `https://${host.includes(":") ? `[${host}]` : host}:${this.port}`;
  }

  listen(): Promise<void> {
    return this.#listen(this.#listener, this.#options.port);
  }

  /** Loads the clusters in the storage. Their controllers do not run yet. */
  async load(): Promise<void> {
    for (const record of await this.#journal.logs()) await this.#open(record, parseSettings(record.settings));
  }

  /** Starts the controllers of all clusters. The server responds with 503 until the end of this call. */
  async serve(): Promise<void> {
    for (const { cluster } of [...this.#clusters.values()]) await cluster.start();
    this.#ready = true;
    void this.#keepHistoryShort();
  }

  async createCluster(options: LogicalClusterOptions): Promise<LogicalCluster> {
    const { name } = options;
    if (!clusterName.test(name))
      throw errors.InvalidClusterName(`${JSON.stringify(name)} is not a DNS label`);
    if (this.#clusters.has(name) || this.#coming.has(name))
      throw errors.ClusterExists(`cluster ${name} already exists`);
    const settings = settingsOf(options);
    this.#coming.add(name);
    try {
      const cluster = await this.#open(await this.#journal.addLog(name, formatSettings(settings)), settings);
      await cluster.start();
      return cluster;
    } finally {
      this.#coming.delete(name);
    }
  }

  findCluster(name: string): LogicalCluster | undefined {
    return this.#clusters.get(name)?.cluster;
  }

  listClusters(): readonly LogicalCluster[] {
    return [...this.#clusters.values()].map(({ cluster }) => cluster);
  }

  async deleteCluster(name: string): Promise<void> {
    const found = this.#clusters.get(name);
    if (!found) throw errors.ClusterNotFound(`cluster ${name} not found`);
    this.#clusters.delete(name);
    this.#servingCertificates.remove(name);
    found.cluster.close();
    found.store.close();
    const listener = await this.#clusterListeners.get(name);
    this.#clusterListeners.delete(name);
    if (listener) void closeListener(listener);
    // A failed last write does not prevent the deletion of the cluster.
    await this.#commits.settled().catch(() => undefined);
    await this.#journal.removeLog(found.id);
  }

  serves(serverName: string): boolean {
    return this.#servingCertificates.find(serverName) !== undefined;
  }

  async listenAt(host: string, port: number = this.port): Promise<AsyncDisposable> {
    const server = createTcpServer((socket) => this.#listener.server.emit("connection", socket));
    server.maxConnections = 2 * this.#limits.connections;
    await listenOn(server, host, port);
    this.#closed.signal.addEventListener("abort", () => server.close(), { once: true });
    return {
      async [Symbol.asyncDispose]() {
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #open(record: LogRecord, settings: ClusterSettings): Promise<Cluster> {
    const { clock, tls, certificateAuthorityPem } = this.#options;
    const logger = this.#options.logger.child({ cluster: record.name });
    const store = await RevisionStore.open({
      journal: this.#journal,
      commits: this.#commits,
      cluster: record,
      nowMs: () => clock.monotonicMs(),
      histories: this.#histories,
    });
    const authorityPem = certificateAuthorityPem ?? lastCertificate(tls.certificatePem);
    const { watchList = true, controllerManager = true, rootCluster } = this.#options;
    const disabledPlugins = new Set(this.#options.disabledAdmissionPlugins);
    const url = record.name === rootCluster ? this.url : `${this.url}/clusters/${record.name}`;
    const ip = advertisedAddress(this.#options.host);
    const advertised = ip === undefined ? undefined : { ip, port: this.port };
    const rootAddress = () => this.#rootAddressOf(record.name);
    const servingCertificates = this.#servingCertificates;
    const shared = { clock, logger, frames: this.#frames, authorityPem, watchList, advertised, rootAddress };
    const deps = { servingCertificates, ...shared, store, controllerManager, disabledPlugins };
    const cluster = new Cluster(record.name, url, settings, deps);
    this.#clusters.set(record.name, { cluster, id: record.id, store });
    return cluster;
  }

  async #rootAddressOf(cluster: string): Promise<NetworkAddress> {
    const { host } = this.#options;
    const known = this.#clusterListeners.get(cluster) ?? this.#listenFor(cluster);
    this.#clusterListeners.set(cluster, known);
    return { host, port: portOf(await known) ?? 0 };
  }

  async #listenFor(cluster: string): Promise<Listener> {
    const listener = this.#createListener(cluster);
    await this.#listen(listener, 0);
    return listener;
  }

  #listen({ server }: Listener, port: number): Promise<void> {
    return listenOn(server, this.#options.host, port);
  }

  #handle(
    incoming: IncomingMessage,
    response: ServerResponse,
    rootCluster: string | undefined,
    upgrade?: Upgrade,
  ): void {
    const { logger } = this.#options;
    // A disconnect during the response is not an error.
    response.on("error", () => undefined);
    try {
      if (this.#closed.signal.aborted) throw failures.unavailable("the server is shutting down");
      // Clients retry after 503, but not after 404.
      if (!this.#ready) {
        if (respondWhileLoading(incoming, response, rootCluster)) return;
        throw failures.unavailable("the server is loading its storage");
      }
      const named = this.#namedCluster(incoming);
      const target = parseTarget(incoming, named ?? rootCluster, named !== undefined);
      if (!target) {
        respondOutside(incoming, response);
        return;
      }
      const { cluster, ...request } = target;
      this.#load.admit(response, cluster, target.info, this.#sockets.size);
      const found = this.#clusters.get(cluster);
      if (!found) throw failures.noSuchPath();
      const asked = { ...request, incoming, response, budget: requestBudget(), owner: found.store };
      void handleRequest(found.cluster, upgrade ? { ...asked, upgrade } : asked);
    } catch (error) {
      sendError(response, error, logger);
    }
  }

  /** Selects the certificate for a host name. Default: the server's own certificate. */
  #selectCertificate(name: string, done: (error: Error | null, context?: SecureContext) => void): void {
    const context = this.#servingCertificates.find(name)?.context();
    if (!context) {
      done(null);
      return;
    }
    context.then(
      (found) => done(null, found),
      (error: unknown) => {
        this.#options.logger.error({ name, error: messageOf(error) }, "serving certificate is unusable");
        done(new Error("the serving certificate is unusable"));
      },
    );
  }

  /** Returns the cluster selected by the host name that the client sent in the TLS handshake (SNI). */
  #namedCluster({ socket }: IncomingMessage): string | undefined {
    const name = "servername" in socket ? socket.servername : undefined;
    return typeof name === "string" ? this.#servingCertificates.find(name)?.cluster : undefined;
  }

  async #keepHistoryShort(): Promise<void> {
    const { clock, logger } = this.#options;
    const { signal } = this.#closed;
    while (!signal.aborted) {
      try {
        await clock.sleep(forgetEveryMs, signal);
        for (const { store } of this.#clusters.values()) await store.forgetOlderThan(historyMs);
      } catch (error) {
        if (!signal.aborted) logger.error({ error: messageOf(error) }, "history compaction failed");
      }
    }
  }

  async #close(): Promise<void> {
    this.#closed.abort();
    for (const { cluster } of this.#clusters.values()) cluster.close();
    const ofClusters = await Promise.all(this.#clusterListeners.values());
    const closed = Promise.all([this.#listener, ...ofClusters].map(closeListener));
    {
      using _ = startTimeLimit(drainMs, () => {
        for (const socket of this.#sockets) socket.destroy();
      });
      await closed;
    }
    await this.#commits.settled().catch(() => undefined);
    await this.#journal[Symbol.asyncDispose]();
  }
}

/** Returns the last certificate of a PEM chain. This is the CA, or the only certificate of a self-signed chain. */
function lastCertificate(pem: string): string {
  return pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----\n?/g)?.at(-1) ?? pem;
}

/** Handles a path outside all clusters. Such paths serve only the server's health. */
function respondOutside({ url = "" }: IncomingMessage, response: ServerResponse): void {
  if (!responseForServer(url, response)) throw failures.noSuchPath();
}
