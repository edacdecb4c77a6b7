import { clusterConnector, withElevations } from "@keelson/admin-actions";
import { startBackend } from "@keelson/backend";
import type { Clock, Logger, Metrics } from "@keelson/base";
import {
  authorizerOf,
  type ConfigSource,
  connectHive,
  defaultOperationsPerSubscription,
  followCertificate,
  portalAccessOf,
  readCertificate,
  requiresReason,
  type ServiceConfig,
  skipTokenKeysOf,
} from "@keelson/env";
import { azureChecks, startFrontend } from "@keelson/frontend";
import { serveMetrics } from "../metrics/serve-metrics.ts";
import { buildVersion } from "../process/build-version.ts";
import { maintenanceRoles, startRole } from "./maintenance.ts";
import { startMonitoring } from "./monitor.ts";
import { servePortal } from "./portal.ts";
import { startResealing } from "./resealing.ts";
import { type ServiceParts, startParts } from "./start-parts.ts";

export interface ServiceDeps {
  readonly config: ServiceConfig;
  /** Source of `config`. The process repeatedly reads the secrets from this source. Default: secrets do not change. */
  readonly source?: ConfigSource<ServiceConfig>;
  /** True if this process also plans and runs maintenance. */
  readonly withMaintenance: boolean;
  /** True if this process also monitors clusters. */
  readonly withMonitor: boolean;
  /** True if this process also serves the portal. */
  readonly withPortal: boolean;
  /**
   * Set if several processes share the port of the ARM API. These processes serve no metrics. Only the first process runs the
   * backend, maintenance, the monitor and the portal.
   */
  readonly share?: { readonly isFirst: boolean };
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

export interface Service extends AsyncDisposable {
  readonly url: string;
  /** URL of the metrics. Undefined if several processes share the port. */
  readonly metricsUrl: string | undefined;
  readonly metrics: Metrics;
}

/** Resource provider that is connected to its database but does not listen yet. */
export interface OpenedService extends AsyncDisposable {
  /** Starts the frontend, the backend and the other roles. */
  serve(): Promise<Service>;
}

/**
 * Starts the frontend and backend of the resource provider with a database connection. Disposal drains both, then closes the
 * database.
 */
export async function startService(deps: ServiceDeps): Promise<Service> {
  await using stack = new AsyncDisposableStack();
  const opened = stack.use(await openService(deps));
  const service = stack.use(await opened.serve());
  const kept = stack.move();
  return { ...service, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** Connects to the database of the service. Disposal closes the database. */
export async function openService(deps: ServiceDeps): Promise<OpenedService> {
  const { config, source, clock, logger, signal } = deps;
  await using stack = new AsyncDisposableStack();
  const parts = await startParts(stack, { service: "rp", config, source, clock, logger, signal });
  const kept = stack.move();
  return { serve: () => serve(deps, parts), [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

async function serve(deps: ServiceDeps, parts: ServiceParts): Promise<Service> {
  const { config, share, clock, logger, signal } = deps;
  const isFirst = share?.isFirst ?? true;
  const withMaintenance = isFirst && deps.withMaintenance;
  const withMonitor = isFirst && deps.withMonitor;
  const withPortal = isFirst && deps.withPortal;
  await using stack = new AsyncDisposableStack();
  const { live, environment, metrics, tracing } = parts;
  const tls = await readCertificate(config.tls);
  parts.reportExpiry("tls", tls);
  const operations = config.operationsPerSubscription ?? defaultOperationsPerSubscription;
  if (isFirst) stack.use(startResealing(environment, { clock, logger, metrics }));
  const metricsServer = share
    ? undefined
    : stack.use(await serveMetrics({ metrics, host: config.host, port: config.metricsPort }));
  const startWorkers = () =>
    startBackend({
      database: environment.database,
      environment: environment.cluster,
      workers: config.workers,
      runningPerSubscription: operations.running,
      leaseMs: config.leaseMs,
      heartbeatMs: config.heartbeatMs,
      drainMs: config.drainMs,
      buildId: buildVersion(),
      clock,
      logger: logger.child({ component: "backend" }),
      metrics,
      tracing,
    });
  const backends = isFirst ? [stack.use(await startWorkers())] : [];
  const roles = (withMaintenance ? maintenanceRoles : []).map((role) => stack.use(startRole(role, parts)));
  if (withMonitor) await startMonitoring(stack, parts);
  const withPeople = withPortal ? [stack.use(await servePortal(parts))] : [];
  const portal = portalAccessOf(config.portal);
  const hive = connectHive(config.hive);
  if (hive) stack.use(hive);
  const stopped = new AbortController();
  stack.defer(() => stopped.abort());
  const authorizer = authorizerOf(config.callers, {
    clock,
    logger: logger.child({ component: "callers" }),
    signal: AbortSignal.any([signal, stopped.signal]),
  });
  const frontend = stack.use(
    await startFrontend({
      database: environment.database,
      azureChecks: azureChecks({
        access: environment.cluster,
        clock,
        logger: logger.child({ component: "azure checks" }),
      }),
      authorizer: config.portal?.governance?.elevation
        ? withElevations(authorizer, { database: environment.database, clock })
        : authorizer,
      governance: config.portal?.governance,
      requireReason: requiresReason(config),
      connectCluster: clusterConnector(environment.cluster, clock),
      actionLeaseMs: config.leaseMs,
      actionHeartbeatMs: config.heartbeatMs,
      tls,
      host: config.host,
      port: config.port,
      location: config.location,
      domain: config.domain,
      managedIdentities: config.managedIdentities,
      portal: portal && (() => portalAccessOf(config.portal) ?? portal),
      hive,
      skipTokenKeys: skipTokenKeysOf(config),
      drainMs: config.serveOnMs,
      requestLimits: config.requestLimits,
      operationsPerSubscription: operations.running + operations.queued,
      retryAfterSeconds: config.retryAfterSeconds,
      buildId: buildVersion(),
      clock,
      logger: logger.child({ component: "frontend" }),
      metrics,
      tracing,
    }),
  );
  authorizer.onChange((isRemoved) => void frontend.callersChanged(isRemoved));
  live.onChange(({ skipTokenKey, otherSkipTokenKeys }) => {
    if (skipTokenKey !== undefined)
      frontend.useSkipTokenKeys(skipTokenKeysOf({ skipTokenKey, otherSkipTokenKeys }));
  });
  void followCertificate(
    config.tls,
    tls,
    { clock, logger, signal: AbortSignal.any([signal, stopped.signal]) },
    (pair) => {
      frontend.useCertificate(pair);
      parts.reportExpiry("tls", pair);
    },
  );
  // Drains the frontend, the backend and all other roles concurrently.
  stack.defer(async () => {
    await Promise.all(
      [frontend, ...backends, ...roles, ...withPeople].map((each) => each[Symbol.asyncDispose]()),
    );
  });
  const kept = stack.move();
  return {
    url: frontend.url,
    metricsUrl: metricsServer?.url,
    metrics,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
