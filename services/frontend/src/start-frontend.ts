import {
  type AdminAction,
  adminActions,
  type ConnectCluster,
  type GovernanceSettings,
  noGovernance,
} from "@keelson/admin-actions";
import { type SkipTokenKeys, SkipTokenSealer } from "@keelson/arm";
import type { Authorizer, PortalAccess, PresentedCertificates } from "@keelson/auth";
import {
  type Clock,
  type KeyPair,
  type Logger,
  type Metrics,
  Tracing,
  timeLimit,
  withTimeout,
} from "@keelson/base";
import { countDropped, hostInUrl, Readiness } from "@keelson/http";
import type { KubeClient } from "@keelson/kube";
import type { ServiceDatabase } from "@keelson/model";
import { adminAction } from "./admin-actions/admin-action.ts";
import { ActionRunner } from "./admin-actions/running/action-runner.ts";
import type { AzureChecks } from "./azure-checks/azure-checks.ts";
import { Audit } from "./http/audit.ts";
import { peerCertificates } from "./http/messages/request-context.ts";
import { createWebServer } from "./http/messages/web-server.ts";
import { installRoutes } from "./http/pipeline.ts";
import { RequestDeadline } from "./http/request-deadline.ts";
import { RequestCounter, type RequestLimits } from "./http/request-limits.ts";
import { routes } from "./routes.ts";
import { Catalogue } from "./service/catalogue.ts";
import { ClusterStatusCache } from "./service/cluster-status-cache.ts";
import type { ManagedIdentitySettings } from "./service/managed-identities.ts";

export interface FrontendOptions {
  readonly database: ServiceDatabase;
  /** Checks with Azure whether a new cluster can be created. */
  readonly azureChecks: AzureChecks;
  readonly authorizer: Authorizer;
  /** True if actions with the role `elevated` require a reason. Default: false. */
  readonly requireReason?: boolean | undefined;
  /** Connects to clusters, for administrators' actions and for reads of the current state. */
  readonly connectCluster: ConnectCluster;
  /** Server certificate with its key. */
  readonly tls: KeyPair;
  readonly host: string;
  /** TCP port. 0 selects a free port. */
  readonly port: number;
  /** Azure region of this resource provider, for example `eastus`. */
  readonly location: string;
  /** DNS domain of clusters without a custom domain. */
  readonly domain: string;
  /** Settings for managed identities. Undefined if the service does not support them. */
  readonly managedIdentities?: ManagedIdentitySettings | undefined;
  /** Encryption keys of page tokens. All replicas must use the same keys. */
  readonly skipTokenKeys: SkipTokenKeys;
  /**
   * Returns the data with which administrators access the portal. It is a function, because the portal's certificate is renewed.
   */
  readonly portal?: (() => PortalAccess) | undefined;
  /** Client of the cluster on which Hive runs. Undefined if Hive is not used. */
  readonly hive?: KubeClient | undefined;
  /** Maximum number of unfinished operations per subscription, including running operations. Default: no maximum. */
  readonly operationsPerSubscription?: number | undefined;
  /** Request limits per subscription in this process. Default: unlimited, because Azure Resource Manager enforces limits. */
  readonly requestLimits?: RequestLimits | undefined;
  /** Recommended polling interval for clients in seconds. */
  readonly retryAfterSeconds: number;
  /** Rules for administrators' actions in addition to roles. Default: no rules. */
  readonly governance?: GovernanceSettings | undefined;
  /** Build ID of the service, which every new cluster stores. */
  readonly buildId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: Metrics | undefined;
  readonly tracing?: Tracing | undefined;
  /**
   * Time in ms for which a stopping frontend still accepts requests. During this time, load balancers detect that it is no longer
   * ready. Default: 0.
   */
  readonly drainMs?: number | undefined;
  /** Maximum time in ms to wait for requests in flight. This time begins after `drainMs`. Default: 30,000. */
  readonly inFlightMs?: number | undefined;
  /** Administrators' actions on clusters. Default: all actions. */
  readonly adminActions?: readonly AdminAction[] | undefined;
  /**
   * Lease duration of actions in ms. If a frontend dies, a different frontend resumes its actions after this time. Default:
   * 60,000.
   */
  readonly actionLeaseMs?: number | undefined;
  /** Interval in ms between lease renewals, and between polls for actions of dead frontends. Default: 10,000. */
  readonly actionHeartbeatMs?: number | undefined;
  /** Maximum time in ms to wait for the preceding action on the same cluster. Default: 5,000. */
  readonly actionTurnMs?: number | undefined;
  /** Aborts requests in flight and makes the stop end immediately. */
  readonly signal?: AbortSignal | undefined;
}

/** ARM API server that accepts connections. Disposal drains it. */
export interface Frontend extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Replaces the certificate for new connections. */
  useCertificate(tls: KeyPair): void;
  /**
   * Replaces the keys of page tokens. New tokens are encrypted with the first key. Existing tokens are decrypted with any of the
   * keys.
   */
  useSkipTokenKeys(keys: SkipTokenKeys): void;
  /**
   * Uses the authorizer's changed CAs for new connections. Closes connections with certificates that `isRemoved` selects, because
   * only the previous CAs accepted them.
   */
  callersChanged(isRemoved: (presented: PresentedCertificates) => Promise<boolean>): Promise<void>;
}

const requestLimitMs = 60_000;
const deadlineSlotMs = 5_000;
/** Time in ms in which the error responses to interrupted requests are sent when the service stops. */
const interruptedMs = 1_000;

/** Serves the ARM API over HTTPS. Rejects if the address is unavailable. */
export async function startFrontend(options: FrontendOptions): Promise<Frontend> {
  options.signal?.throwIfAborted();
  const { database, authorizer, clock, logger, location } = options;
  const abandon = new AbortController();
  const lifetime = options.signal ? AbortSignal.any([options.signal, abandon.signal]) : abandon.signal;
  const catalogue = new Catalogue(database, clock, logger);
  const state = { draining: false };

  const readiness = new Readiness({
    database,
    own() {
      if (state.draining) return { reason: "The process is stopping." };
      if (!catalogue.following) return { reason: "The changes of the database are not followed yet." };
      if (!authorizer.ready()) return { reason: "The certificates of callers were not read." };
      return undefined;
    },
    clock,
    logger,
  });

  const offered = options.adminActions ?? adminActions;
  const actions = new ActionRunner({
    database,
    connectCluster: options.connectCluster,
    actions: offered,
    clock,
    logger,
    metrics: options.metrics,
    leaseMs: options.actionLeaseMs ?? 60_000,
    heartbeatMs: options.actionHeartbeatMs ?? 10_000,
    pollMs: options.actionHeartbeatMs ?? 10_000,
    turnMs: options.actionTurnMs ?? 5_000,
  });
  const limits = { clock, dropped: countDropped(options.metrics, "frontend") };
  const { app, listener } = createWebServer({
    tls: options.tls,
    limits,
    clientAuthorities: authorizer.authorityPems,
  });
  const sealer = new SkipTokenSealer(...options.skipTokenKeys);
  installRoutes(app, [...routes, ...offered.map(adminAction)], {
    service: {
      database,
      catalogue,
      actions,
      azureChecks: options.azureChecks,
      clusterStatus: new ClusterStatusCache({
        connectCluster: options.connectCluster,
        clock,
        logger,
        lifetime,
      }),
      sealer,
      clock,
      location,
      domain: options.domain,
      managedIdentities: options.managedIdentities,
      portal: options.portal,
      hive: options.hive,
      governance: options.governance ?? noGovernance,
      buildId: options.buildId,
      operationsPerSubscription: options.operationsPerSubscription,
      retryAfterSeconds: options.retryAfterSeconds,
      readiness,
      admits: async (request) => (await authorizer.authorize(request)) !== false,
    },
    authorizer,
    administrators: { requireReason: options.requireReason ?? false },
    deadline: new RequestDeadline({
      clock,
      lifetime,
      limitMs: requestLimitMs,
      slotMs: deadlineSlotMs,
    }),
    requests: new RequestCounter(options.requestLimits ?? {}, clock),
    authenticated: (peer) => listener.authenticated(peer),
    audit: new Audit({ clock, logger, metrics: options.metrics }),
    tracing: options.tracing ?? new Tracing(),
    logger,
  });
  await app.listen({ host: options.host, port: options.port });
  const feed = catalogue.follow(lifetime);
  actions.start();
  const { port, inFlight } = listener;

  async function stop(): Promise<void> {
    state.draining = true;
    // Each connection now closes after its next response. If a connection closed before this response, the client could
    // not determine whether the server received the request.
    listener.leaveConnections();
    if (options.drainMs) await clock.sleep(options.drainMs, lifetime).catch(() => undefined);
    const closed = app.close();
    const limit = withTimeout(lifetime, options.inFlightMs ?? 30_000);
    await Promise.all([inFlight.idle(limit), actions.drain(limit)]);
    // The second wait is needed, because open connections may send new requests while actions end.
    const idle = await inFlight.idle(limit);
    if (!idle) logger.warn("stopping with requests in flight, their time is over");
    abandon.abort(new Error("the frontend has stopped"));
    const answered = idle || (await inFlight.idle(timeLimit(interruptedMs)));
    // Responses that were written must still reach their clients. Requests that are still pending get no response.
    if (answered) listener.flushConnections();
    else listener.destroyConnections();
    await closed;
    await feed;
  }

  let stopped: Promise<void> | undefined;
  return {
    url: `https://${hostInUrl(options.host)}:${port}`,
    port,
    useCertificate: (tls) => listener.useCertificate(tls),
    useSkipTokenKeys: (keys) => sealer.useKeys(keys),
    async callersChanged(isRemoved) {
      listener.useClientAuthorities(authorizer.authorityPems ?? []);
      const closed = await listener.destroyConnectionsIf(async (socket) => {
        const certificates = peerCertificates(socket);
        return isRemoved({ peerCertificates: certificates, peerVerified: socket.authorized });
      });
      logger.info({ closed }, "the list of callers has changed");
    },
    [Symbol.asyncDispose]: () => (stopped ??= stop()),
  };
}
