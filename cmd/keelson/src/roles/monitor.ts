import type { Clock, Logger } from "@keelson/base";
import { type ConfigSource, connectHive, type RoleConfig, startClusterFigures } from "@keelson/env";
import { Readiness } from "@keelson/http";
import { clusterAccess, type Monitor, startMonitor } from "@keelson/monitor";
import { serveMetrics } from "../metrics/serve-metrics.ts";
import { buildVersion } from "../process/build-version.ts";
import { type ServiceParts, startParts } from "./start-parts.ts";

export interface MonitorDeps {
  readonly config: RoleConfig;
  /** Source of `config`. The process repeatedly reads the secrets from this source. */
  readonly source?: ConfigSource<RoleConfig>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Starts the monitor, in a separate process or together with other roles. Disposing `stack` stops it. */
export async function startMonitoring(stack: AsyncDisposableStack, parts: ServiceParts): Promise<Monitor> {
  const { config, environment, clock, metrics } = parts;
  const logger = parts.logger.child({ component: "monitor" });
  const buildId = buildVersion();
  const clusterSink = stack.use(
    await startClusterFigures({
      config: config.telemetry,
      location: config.location,
      version: buildId,
      service: "monitor",
      onDropped: parts.telemetry.onDropped,
      clock,
      logger,
    }),
  );
  const hive = connectHive(config.hive);
  if (hive) stack.use(hive);
  return stack.use(
    startMonitor({
      database: environment.database,
      access: clusterAccess(environment.cluster),
      ...(hive ? { hive } : {}),
      buildId,
      zone: config.domain,
      ...config.monitor,
      clusterSink,
      clock,
      logger,
      metrics,
    }),
  );
}

/** Starts the monitor with a separate database connection. Disposal stops the monitor's scrapes. */
export async function startMonitorProcess(
  deps: MonitorDeps,
): Promise<AsyncDisposable & { readonly metricsUrl: string }> {
  await using stack = new AsyncDisposableStack();
  const { host, metricsPort } = deps.config;
  const parts = await startParts(stack, { ...deps, service: "monitor" });
  const monitor = await startMonitoring(stack, parts);
  const readiness = new Readiness({
    database: parts.environment.database,
    own: () => (monitor.ready() ? undefined : { reason: "The monitor has no share of the clusters yet." }),
    clock: deps.clock,
    logger: deps.logger,
  });
  const server = stack.use(
    await serveMetrics({ metrics: parts.metrics, host, port: metricsPort, readiness }),
  );
  const kept = stack.move();
  return { metricsUrl: server.url, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
