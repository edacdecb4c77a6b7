import { type Clock, type Logger, Metrics, type Tracing } from "@keelson/base";
import {
  createServiceEnvironment,
  type RoleConfig,
  type ServiceEnvironment,
  startTelemetry,
  type Telemetry,
} from "@keelson/env";
import { ClusterResponses } from "@keelson/kube";
import { programInstallerKinds } from "../configuration/installer-kinds.ts";
import { buildVersion } from "../process/build-version.ts";

/** Names of the roles in metrics and traces, by which their databases are known. */
const databaseRoleOf = {
  rp: "rp",
  monitor: "monitor",
  portal: "portal",
  mimo_actuator: "maintenance",
  mimo_scheduler: "maintenance",
} as const;

export interface PartsOptions {
  /** Names the role in metrics and traces. */
  readonly service: keyof typeof databaseRoleOf;
  readonly config: RoleConfig;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Dependencies of every role of the service. */
export interface ServiceParts {
  readonly config: RoleConfig;
  readonly environment: ServiceEnvironment;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly telemetry: Telemetry;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Starts them; they end with `stack`. */
export async function startParts(
  stack: AsyncDisposableStack,
  { service, config, clock, logger, signal }: PartsOptions,
): Promise<ServiceParts> {
  const metrics = new Metrics().includeProcess();
  const telemetry = stack.use(
    await startTelemetry({
      config: config.telemetry,
      metrics,
      location: config.location,
      version: buildVersion(),
      service,
      clock,
      logger: logger.child({ component: "telemetry" }),
    }),
  );
  const responses = stack.use(new ClusterResponses({ clock, metrics }));
  const environment = stack.use(
    await createServiceEnvironment({
      config,
      role: databaseRoleOf[service],
      installerKinds: programInstallerKinds,
      telemetry,
      responses,
      clock,
      logger,
      signal,
    }),
  );
  return { config, environment, metrics, tracing: telemetry.tracing, telemetry, clock, logger };
}
