import { type Clock, type KeyPair, type Logger, Metrics, type Tracing } from "@keelson/base";
import {
  type ConfigSource,
  createServiceEnvironment,
  databaseObserver,
  firstPartyCertificateFiles,
  followCertificate,
  LiveConfig,
  type RoleConfig,
  readCertificate,
  rereadServiceFields,
  type ServiceEnvironment,
  startTelemetry,
  type Telemetry,
} from "@keelson/env";
import { ClusterResponses } from "@keelson/kube";
import { programInstallerKinds } from "../configuration/installer-kinds.ts";
import { certificateExpiry } from "../metrics/certificate-expiry.ts";
import { buildVersion } from "../process/build-version.ts";
import { writeDiagnosticsOnSignal } from "../process/diagnostics-signal.ts";
import { startEventLoopWatchdog } from "../process/event-loop-watchdog.ts";

/** Database role that each service role uses. */
const databaseRoleOf = {
  rp: "rp",
  monitor: "monitor",
  portal: "portal",
  mimo_actuator: "maintenance",
  mimo_scheduler: "maintenance",
} as const;

export interface PartsOptions {
  /** Name of the role in metrics and traces. */
  readonly service: keyof typeof databaseRoleOf;
  readonly config: RoleConfig;
  /** Source of `config`. The process repeatedly reads the secrets from this source. Default: secrets do not change. */
  readonly source?: ConfigSource<RoleConfig> | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Dependencies of every role of the service. */
export interface ServiceParts {
  readonly config: RoleConfig;
  /** View of the configuration that always contains the current values of its secrets. */
  readonly live: LiveConfig<RoleConfig>;
  readonly environment: ServiceEnvironment;
  readonly metrics: Metrics;
  readonly reportExpiry: (certificate: string, pair: KeyPair) => void;
  readonly tracing: Tracing;
  readonly telemetry: Telemetry;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Creates the dependencies of a role. Disposing `stack` stops them. */
export async function startParts(
  stack: AsyncDisposableStack,
  { service, config, source, clock, logger, signal }: PartsOptions,
): Promise<ServiceParts> {
  const metrics = new Metrics().includeProcess();
  stack.use(writeDiagnosticsOnSignal(logger));
  stack.use(startEventLoopWatchdog({ metrics, logger, facts: { service } }));
  const live = new LiveConfig(config, rereadServiceFields);
  const stopped = new AbortController();
  stack.defer(() => stopped.abort());
  if (source) void live.follow(source, { clock, logger, signal: stopped.signal });
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
      configNow: () => live.current,
      observer: databaseObserver(metrics),
      role: databaseRoleOf[service],
      installerKinds: programInstallerKinds,
      telemetry,
      responses,
      clock,
      logger,
      signal,
    }),
  );
  const reportExpiry = certificateExpiry(metrics);
  const files = firstPartyCertificateFiles(config.firstParty);
  if (files) {
    const pair = await readCertificate(files);
    reportExpiry("firstParty", pair);
    void followCertificate(files, pair, { clock, logger, signal: stopped.signal }, (renewed) =>
      reportExpiry("firstParty", renewed),
    );
  }
  return {
    reportExpiry,
    config,
    live,
    environment,
    metrics,
    tracing: telemetry.tracing,
    telemetry,
    clock,
    logger,
  };
}
