import type { Clock, Logger } from "@keelson/base";
import { connectHive, type ServiceConfig, startClusterFigures } from "@keelson/env";
import { clusterAccess, type Monitor, startMonitor } from "@keelson/monitor";
import { buildVersion } from "./build-version.ts";
import { serveMetrics } from "./serve-metrics.ts";
import { type ServiceParts, startParts } from "./start-parts.ts";

export interface MonitorDeps {
  readonly config: ServiceConfig;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Starts the monitor, alone in its process or beside others; it ends with `stack`. */
export function startMonitoring(stack: AsyncDisposableStack, parts: ServiceParts): Monitor {
  const { config, environment, clock, metrics } = parts;
  const logger = parts.logger.child({ component: "monitor" });
  const { telemetry, location } = config;
  const figures = startClusterFigures({ config: telemetry, location, clock, logger });
  if (figures) stack.use(figures);
  const hive = connectHive(config.hive);
  if (hive) stack.use(hive);
  const clusterSink = figures ?? { send: () => undefined };
  return stack.use(
    startMonitor({
      database: environment.database,
      access: clusterAccess(environment.cluster),
      ...(hive ? { hive } : {}),
      buildId: buildVersion(),
      zone: config.domain,
      clusterSink,
      clock,
      logger,
      metrics,
    }),
  );
}

/** The monitor with a database connection of its own. Disposal ends its passes. */
export async function startMonitorProcess(
  deps: MonitorDeps,
): Promise<AsyncDisposable & { readonly metricsUrl: string }> {
  await using stack = new AsyncDisposableStack();
  const { host, metricsPort } = deps.config;
  const parts = await startParts(stack, { ...deps, service: "monitor" });
  const monitor = startMonitoring(stack, parts);
  const ready = () => monitor.ready();
  const server = stack.use(await serveMetrics({ metrics: parts.metrics, host, port: metricsPort, ready }));
  const kept = stack.move();
  return { metricsUrl: server.url, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
