import { type Clock, type Logger, Metrics } from "@keelson/base";
import { type GatewayConfig, gatewayHosts, openGatewayDatabase, startTelemetry } from "@keelson/env";
import { startGateway } from "@keelson/gateway";
import { serveMetrics } from "../metrics/serve-metrics.ts";
import { buildVersion } from "../process/build-version.ts";

export interface GatewayDeps {
  readonly config: GatewayConfig;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

export interface GatewayProcess extends AsyncDisposable {
  readonly urls: { readonly connect: string; readonly tls: string; readonly metrics: string };
  /** Ends as load balancers and open connections need it. */
  drain(): Promise<void>;
}

/** Starts the gateway with a separate database connection. */
export async function startGatewayProcess({
  config,
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
  const ofDatabase = { logger: logger.child({ component: "database" }), signal };
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
