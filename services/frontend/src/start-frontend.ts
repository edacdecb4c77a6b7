import {
  type AdminAction,
  adminActions,
  type ConnectCluster,
  type GovernanceSettings,
  noGovernance,
} from "@keelson/admin-actions";
import { SkipTokenSealer } from "@keelson/arm";
import type { Authorizer, PortalAccess } from "@keelson/auth";
import {
  type Clock,
  type KeyPair,
  type Logger,
  type Metrics,
  Tracing,
  timeLimit,
  withTimeout,
} from "@keelson/base";
import { countDropped, sharedPing } from "@keelson/http";
import type { KubeClient } from "@keelson/kube";
import type { ServiceDatabase } from "@keelson/model";
import { adminAction } from "./admin-actions/admin-action.ts";
import { ActionRunner } from "./admin-actions/running/action-runner.ts";
import type { AzureChecks } from "./azure-checks/azure-checks.ts";
import { Audit } from "./http/audit.ts";
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
  /** What Azure is asked before a cluster is created. */
  readonly azureChecks: AzureChecks;
  readonly authorizer: Authorizer;
  /** Whether administrators have to say why, for what needs all rights. Default false. */
  readonly requireReason?: boolean | undefined;
  /** How the actions of administrators reach a cluster, and who asks what it is like now. */
  readonly connectCluster: ConnectCluster;
  /** The certificate that clients see. */
  readonly tls: KeyPair;
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
  /** The region that this resource provider serves, for example `eastus`. */
  readonly location: string;
  /** The DNS domain of clusters that bring none of their own. */
  readonly domain: string;
  /** Absent where no clusters with managed identities are to be made. */
  readonly managedIdentities?: ManagedIdentitySettings | undefined;
  /** 32 bytes that seal the tokens of lists; the same in every replica. */
  readonly skipTokenKey: Uint8Array;
  /** The portal for which administrators get credentials, as it is now: its certificate is renewed. */
  readonly portal?: (() => PortalAccess) | undefined;
  /** The API of the Hive that installs clusters. */
  readonly hive?: KubeClient | undefined;
  /** Maximum number of unfinished operations per subscription, running ones included. Default: no maximum. */
  readonly operationsPerSubscription?: number | undefined;
  /** Request limits per subscription in this process. Default: none, because Azure Resource Manager has its own. */
  readonly requestLimits?: RequestLimits | undefined;
  /** How long clients should wait between polls. */
  readonly retryAfterSeconds: number;
  /** Rules for actions beyond roles. Default: none. */
  readonly governance?: GovernanceSettings | undefined;
  /** Written to the clusters made by this build. */
  readonly buildId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: Metrics | undefined;
  readonly tracing?: Tracing | undefined;
  /** How long a stop goes on serving after readiness is gone, so that load balancers notice. 0 when absent. */
  readonly drainMs?: number | undefined;
  /** How long a stop then waits for requests in flight. 30,000 when absent. */
  readonly inFlightMs?: number | undefined;
  /** What administrators can do to clusters; everything that there is when absent. */
  readonly adminActions?: readonly AdminAction[] | undefined;
  /** How long a frontend that vanished keeps the actions it ran; 60,000 when absent. */
  readonly actionLeaseMs?: number | undefined;
  /** Between two renewals of their leases, and polls for those of others; 10,000 when absent. */
  readonly actionHeartbeatMs?: number | undefined;
  /** How long an administrator's action waits for the end of another one on its cluster; 5,000 when absent. */
  readonly actionTurnMs?: number | undefined;
  /** Abandons requests in flight, and what is left of a stop. */
  readonly signal?: AbortSignal | undefined;
}

/** A listening ARM API. Disposal drains it. */
export interface Frontend extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Serves another certificate to new connections. */
  useCertificate(tls: KeyPair): void;
}

const requestLimitMs = 60_000;
const deadlineSlotMs = 5_000;
/** Time for the responses to requests that a stop interrupts. */
const interruptedMs = 1_000;

/** Serves the ARM API over HTTPS. Rejects when the address cannot be had. */
export async function startFrontend(options: FrontendOptions): Promise<Frontend> {
  options.signal?.throwIfAborted();
  const { database, authorizer, clock, logger, location } = options;
  const abandon = new AbortController();
  const lifetime = options.signal ? AbortSignal.any([options.signal, abandon.signal]) : abandon.signal;
  const catalogue = new Catalogue(database, clock, logger);
  const state = { draining: false };

  const ping = sharedPing(database, clock);
  async function ready(signal: AbortSignal): Promise<boolean> {
    if (state.draining || !catalogue.following || !authorizer.ready()) return false;
    return ping(signal).then(
      () => true,
      () => false,
    );
  }

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
      sealer: new SkipTokenSealer(options.skipTokenKey),
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
      ready,
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
    // A request that meets the end of its connection has no answer, and its client cannot know whether it was received.
    listener.leaveConnections();
    if (options.drainMs) await clock.sleep(options.drainMs, lifetime).catch(() => undefined);
    const closed = app.close();
    const limit = withTimeout(lifetime, options.inFlightMs ?? 30_000);
    await Promise.all([inFlight.idle(limit), actions.drain(limit)]);
    // Once more, because requests arrive on open connections while actions end.
    const idle = await inFlight.idle(limit);
    if (!idle) logger.warn("stopping with requests in flight, their time is over");
    abandon.abort(new Error("the frontend has stopped"));
    const answered = idle || (await inFlight.idle(timeLimit(interruptedMs)));
    // What was answered still has to leave; what was not never will.
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
    [Symbol.asyncDispose]: () => (stopped ??= stop()),
  };
}

/** A host that a client on this machine can use. */
function hostInUrl(host: string): string {
  if (host === "0.0.0.0" || host === "::" || host === "") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
