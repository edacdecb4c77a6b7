import type { Clock, Logger } from "@keelson/base";
import type { ConfigSource, RoleConfig } from "@keelson/env";
import { Readiness } from "@keelson/http";
import { startActuator, startScheduler } from "@keelson/maintenance";
import { serveMetrics } from "../metrics/serve-metrics.ts";
import { type ServiceParts, startParts } from "./start-parts.ts";

export const maintenanceRoles = ["actuator", "scheduler"] as const;
export type MaintenanceRole = (typeof maintenanceRoles)[number];

export interface RunningRole extends AsyncDisposable {
  ready(): boolean;
}

/** Starts the scheduler or the actuator of planned maintenance, in a separate process or together with other roles. */
export function startRole(role: MaintenanceRole, parts: ServiceParts): RunningRole {
  const { config, environment, clock, metrics, tracing } = parts;
  const { database } = environment;
  const logger = parts.logger.child({ component: role });
  if (role === "scheduler") {
    return startScheduler({ database, domain: config.domain, clock, logger, metrics });
  }
  const { leaseMs, heartbeatMs, drainMs } = config;
  return startActuator({
    ...{ database, environment: environment.cluster, clock, logger, metrics, tracing },
    ...{ leaseMs, heartbeatMs, drainMs },
  });
}

export interface MaintenanceDeps {
  readonly role: MaintenanceRole;
  readonly config: RoleConfig;
  /** Source of `config`. The process repeatedly reads the secrets from this source. */
  readonly source?: ConfigSource<RoleConfig>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

export interface Maintenance extends AsyncDisposable {
  readonly metricsUrl: string;
}

/** Starts the scheduler or the actuator of planned maintenance, with a separate database connection. Disposal drains the role. */
export async function startMaintenance({ role, ...deps }: MaintenanceDeps): Promise<Maintenance> {
  await using stack = new AsyncDisposableStack();
  const { host, metricsPort } = deps.config;
  const parts = await startParts(stack, { ...deps, service: `mimo_${role}` });
  const running = stack.use(startRole(role, parts));
  const readiness = new Readiness({
    database: parts.environment.database,
    own: () => (running.ready() ? undefined : { reason: "The process has no share of the work yet." }),
    clock: deps.clock,
    logger: deps.logger,
  });
  const server = stack.use(
    await serveMetrics({ metrics: parts.metrics, host, port: metricsPort, readiness }),
  );
  const kept = stack.move();
  return { metricsUrl: server.url, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
