import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { startBackend } from "@keelson/backend";
import { type Clock, type Logger, Metrics } from "@keelson/base";
import { createServiceEnvironment, type ServiceConfig } from "@keelson/env";
import { type Authorizer, acceptAll, clientCertificates, startFrontend } from "@keelson/frontend";
import { buildVersion } from "./build-version.ts";

export interface ServiceDeps {
  readonly config: ServiceConfig;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

export interface Service extends AsyncDisposable {
  readonly url: string;
  readonly metricsUrl: string;
}

/** Frontend and backend of the resource provider, with their database. Disposal drains both, then closes it. */
export async function startService({ config, clock, logger, signal }: ServiceDeps): Promise<Service> {
  await using stack = new AsyncDisposableStack();
  const metrics = new Metrics().includeProcess();
  const environment = stack.use(await createServiceEnvironment({ config, clock, logger, signal }));
  const metricsServer = stack.use(await serveMetrics(metrics, config.host, config.metricsPort));
  stack.use(
    await startBackend({
      database: environment.database,
      environment: environment.cluster,
      workers: config.workers,
      leaseMs: config.leaseMs,
      heartbeatMs: config.heartbeatMs,
      drainMs: config.drainMs,
      buildId: buildVersion(),
      clock,
      logger: logger.child({ component: "backend" }),
      metrics,
    }),
  );
  const frontend = stack.use(
    await startFrontend({
      database: environment.database,
      authorizer: authorizerOf(config, clock),
      tls: environment.tls,
      host: config.host,
      port: config.port,
      location: config.location,
      domain: config.domain,
      skipTokenKey: environment.skipTokenKey,
      retryAfterSeconds: config.retryAfterSeconds,
      buildId: buildVersion(),
      clock,
      logger: logger.child({ component: "frontend" }),
      metrics,
    }),
  );
  const kept = stack.move();
  return {
    url: frontend.url,
    metricsUrl: metricsServer.url,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** `GET /metrics` in the Prometheus text format, over plain HTTP. */
async function serveMetrics(
  metrics: Metrics,
  host: string,
  port: number,
): Promise<{ readonly url: string } & AsyncDisposable> {
  const server = createServer(async (request, response) => {
    if (request.method !== "GET" || request.url !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    const { contentType, body } = await metrics.expose();
    response.writeHead(200, { "content-type": contentType }).end(body);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, host, resolve);
  });
  const address = server.address();
  return {
    url: `http://localhost:${typeof address === "object" && address ? address.port : port}/metrics`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function authorizerOf({ callers }: ServiceConfig, clock: Clock): Authorizer {
  if (callers.kind === "anyone") return acceptAll();
  return clientCertificates({
    armThumbprintsOrPems: pemBundle(callers.armFile),
    adminPems: pemBundle(callers.adminFile),
    clock,
  });
}

/** The certificates of a PEM file, one text each. */
function pemBundle(path: string): readonly string[] {
  return readFileSync(path, "utf8").match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
}
