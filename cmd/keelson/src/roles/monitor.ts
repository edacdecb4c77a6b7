import { connectHive, startClusterFigures } from "@keelson/env";
import { clusterAccess, type Monitor, startMonitor } from "@keelson/monitor";
import { buildVersion } from "../process/build-version.ts";
import type { PartsOptions, ServiceParts } from "./start-parts.ts";
import { type RoleProcess, startRoleProcess } from "./start-role-process.ts";

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
export function startMonitorProcess(deps: Omit<PartsOptions, "service">): Promise<RoleProcess> {
  return startRoleProcess(
    { ...deps, service: "monitor" },
    { start: startMonitoring, notReady: "The monitor has no share of the clusters yet." },
  );
}
