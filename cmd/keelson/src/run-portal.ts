import { permissionsOf } from "@keelson/admin-actions";
import type { Clock, Logger } from "@keelson/base";
import {
  followCertificate,
  portalAccessOf,
  portalCertificateFiles,
  portalSignInOf,
  portalSshServerOf,
  readCertificate,
  type ServiceConfig,
} from "@keelson/env";
import { clusterDialer, type Portal, startPortal, startSshProxy } from "@keelson/portal";
import { buildVersion } from "./build-version.ts";
import { cliErrors } from "./cli-errors.ts";
import { serveMetrics } from "./serve-metrics.ts";
import { type ServiceParts, startParts } from "./start-parts.ts";

export interface PortalDeps {
  readonly config: ServiceConfig;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Starts the portal, alone in its process or beside others; it ends with `stack`. @throws where none is configured */
export async function servePortal(stack: AsyncDisposableStack, parts: ServiceParts): Promise<Portal> {
  const { config, environment, clock } = parts;
  const logger = parts.logger.child({ component: "portal" });
  if (!config.portal)
    throw cliErrors.RequestFailed("the configuration has no portal: add the member `portal`");
  const { host, port, url, assets, regions } = config.portal;
  const files = portalCertificateFiles(config.portal);
  const tls = await readCertificate(files);
  const { database } = environment;
  const signIn = await portalSignInOf(config);
  const { ssh } = portalAccessOf(config.portal) ?? {};
  const servers: AsyncDisposable[] = [];
  // Both take nothing more at once, and drain beside each other.
  stack.defer(async () => void (await Promise.all(servers.map((each) => each[Symbol.asyncDispose]()))));
  const portal = await startPortal({
    database,
    tls,
    host,
    port,
    url,
    location: config.location,
    version: buildVersion(),
    permissionsOf,
    ...(signIn ? { signIn } : {}),
    ...(ssh ? { ssh } : {}),
    ...(assets === undefined ? {} : { assets }),
    ...(regions ? { regions } : {}),
    drainMs: config.drainMs,
    clock,
    logger,
  });
  servers.push(portal);
  const sshServer = portalSshServerOf(config.portal);
  if (sshServer) {
    const { proxy, ...server } = sshServer;
    const dial = clusterDialer(proxy);
    const { drainMs } = config;
    servers.push(await startSshProxy({ ...server, database, dial, drainMs, clock, logger }));
  }
  const stopped = new AbortController();
  stack.defer(() => stopped.abort());
  void followCertificate(files, tls, { clock, logger, signal: stopped.signal }, (pair) =>
    portal.useCertificate(pair),
  );
  return portal;
}

/** The portal with a database connection of its own. Disposal ends its connections. */
export async function startPortalProcess(
  deps: PortalDeps,
): Promise<AsyncDisposable & { readonly urls: { readonly portal: string; readonly metrics: string } }> {
  await using stack = new AsyncDisposableStack();
  const { host, metricsPort } = deps.config;
  const parts = await startParts(stack, { ...deps, service: "portal" });
  const server = stack.use(await serveMetrics({ metrics: parts.metrics, host, port: metricsPort }));
  const portal = await servePortal(stack, parts);
  const kept = stack.move();
  return {
    urls: { portal: portal.url, metrics: server.url },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
