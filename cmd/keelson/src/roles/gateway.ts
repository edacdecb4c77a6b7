import { type Clock, type Logger, Metrics } from "@keelson/base";
import {
  type ConfigSource,
  databaseObserver,
  type GatewayConfig,
  gatewayHosts,
  LiveConfig,
  openGatewayDatabase,
  rereadDatabase,
  rereadFirstParty,
  rereadSchemaVersion,
  startTelemetry,
} from "@keelson/env";
import { startGateway } from "@keelson/gateway";
import { serveMetrics } from "../metrics/serve-metrics.ts";
import { buildVersion } from "../process/build-version.ts";
import { writeDiagnosticsOnSignal } from "../process/diagnostics-signal.ts";
import { startEventLoopWatchdog } from "../process/event-loop-watchdog.ts";

export interface GatewayDeps {
  readonly config: GatewayConfig;
  /** Source of `config`. The process repeatedly reads the secrets from this source. Default: secrets do not change. */
  readonly source?: ConfigSource<GatewayConfig>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

export interface GatewayProcess extends AsyncDisposable {
  readonly urls: { readonly connect: string; readonly tls: string; readonly metrics: string };
  /**
   * Drains the gateway. First reports the gateway as not ready, and serves connections until load balancers have reacted. Then
   * stops listening and waits until open connections have closed.
   */
  drain(): Promise<void>;
}

/** Starts the gateway with a separate database connection. */
export async function startGatewayProcess({
  config,
  source,
  clock,
  logger,
  signal,
}: GatewayDeps): Promise<GatewayProcess> {
  await using stack = new AsyncDisposableStack();
  const { host, location, telemetry } = config;
  const hosts = gatewayHosts(config);
  const metrics = new Metrics().includeProcess();
  const figures = { config: telemetry, metrics, location, version: buildVersion(), service: "gateway" };
  stack.use(await startTelemetry({ ...figures, clock, logger: logger.child({ component: "telemetry" }) }));
  stack.use(writeDiagnosticsOnSignal(logger));
  stack.use(startEventLoopWatchdog({ metrics, logger, facts: { service: "gateway" } }));
  const live = new LiveConfig(config, (initial, next) => ({
    ...rereadSchemaVersion(initial, next),
    database: rereadDatabase(initial.database, next.database),
    ...(initial.firstParty && next.firstParty
      ? { firstParty: rereadFirstParty(initial.firstParty, next.firstParty) }
      : {}),
  }));
  const stopped = new AbortController();
  stack.defer(() => stopped.abort());
  if (source) void live.follow(source, { clock, logger, signal: stopped.signal });
  const configNow = () => live.current;
  const ofDatabase = {
    observer: databaseObserver(metrics),
    configNow,
    logger: logger.child({ component: "database" }),
    signal,
  };
  const database = stack.use(await openGatewayDatabase(config, ofDatabase));
  const gateway = stack.use(await startGateway({ ...config, ...hosts, database, clock, logger, metrics }));
  const ready = () => gateway.ready();
  const server = stack.use(await serveMetrics({ metrics, host, port: config.metricsPort, ready }));
  const kept = stack.move();
  return {
    urls: {
      connect: `http://${host}:${gateway.connectPort}`,
      tls: `https://${host}:${gateway.tlsPort}`,
      metrics: server.url,
    },
    drain: () => gateway.drain(),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
