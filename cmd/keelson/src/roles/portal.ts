import { fileURLToPath } from "node:url";
import { noGovernance, permissionsOf } from "@keelson/admin-actions";
import { type Clock, type Logger, Secret } from "@keelson/base";
import {
  type ConfigSource,
  followCertificate,
  type PortalConfig,
  portalAccessOf,
  portalAdminApiOf,
  portalCertificateFiles,
  portalSignInOf,
  portalSshServerOf,
  type RoleConfig,
  readCertificate,
  requiresReason,
} from "@keelson/env";
import { clusterDialer, type Portal, type SshProxy, startPortal, startSshProxy } from "@keelson/portal";
import { pagesDirectory } from "@keelson/portal-web";
import { serveMetrics } from "../metrics/serve-metrics.ts";
import { cliErrors } from "../output/cli-errors.ts";
import { buildVersion } from "../process/build-version.ts";
import { type ServiceParts, startParts } from "./start-parts.ts";

export interface PortalDeps {
  readonly config: RoleConfig;
  /** Source of `config`. The process repeatedly reads the secrets from this source. */
  readonly source?: ConfigSource<RoleConfig>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Running portal. */
export interface ServedPortal extends AsyncDisposable {
  readonly portal: Portal;
  /** Port of the portal's SSH server. Undefined if the server is disabled. */
  readonly sshPort?: number;
}

/**
 * Starts the portal, in a separate process or together with other roles. Disposal first reports the portal as not ready, waits
 * until load balancers have reacted, and then drains the connections.
 * @throws RequestFailed if no portal is configured
 */
export async function servePortal(parts: ServiceParts): Promise<ServedPortal> {
  const { config, live, environment, clock } = parts;
  const logger = parts.logger.child({ component: "portal" });
  if (!config.portal)
    throw cliErrors.RequestFailed("the configuration has no portal: add the member `portal`");
  await using stack = new AsyncDisposableStack();
  const { host, port, url, assets, regions, banner } = config.portal;
  const files = portalCertificateFiles(config.portal);
  const tls = await readCertificate(files);
  parts.reportExpiry("portal", tls);
  const { database } = environment;
  const signIn = await portalSignInOf(config);
  if (signIn) parts.reportExpiry("portal.signIn", signIn.credential.certificate);
  const { ssh } = portalAccessOf(config.portal) ?? {};
  const adminApi = portalAdminApiOf(config.portal);
  const portal = stack.use(
    await startPortal({
      database,
      tls,
      host,
      port,
      url,
      location: config.location,
      version: buildVersion(),
      permissionsOf: (role) => permissionsOf(role, requiresReason(config)),
      ...(signIn ? { signIn } : {}),
      ...(adminApi ? { adminApi } : {}),
      rules: {
        requireReason: requiresReason(config),
        governance: config.portal.governance ?? noGovernance,
      },
      ...(ssh ? { ssh } : {}),
      assets: assets ?? fileURLToPath(pagesDirectory),
      ...(regions ? { regions } : {}),
      ...(banner ? { banner } : {}),
      drainMs: config.drainMs,
      metrics: parts.metrics,
      ...(environment.cluster.responses ? { responses: environment.cluster.responses } : {}),
      clusterAddress: environment.cluster.clusterAddress,
      clock,
      logger,
    }),
  );
  const sshServer = await startSshServer(parts, config.portal, logger);
  if (sshServer) stack.use(sshServer);
  const stopped = new AbortController();
  const following = { clock, logger, signal: stopped.signal };
  void followCertificate(files, tls, following, (pair) => {
    portal.useCertificate(pair);
    parts.reportExpiry("portal", pair);
  });
  live.onChange(({ portal: next }) => {
    if (next?.signIn) portal.useSessionKeys(next.signIn.sessionKeys.map((key) => new Secret(key)));
  });
  if (config.portal.signIn && signIn)
    void followCertificate(config.portal.signIn, signIn.credential.certificate, following, (pair) => {
      portal.useSignInCertificate(pair);
      parts.reportExpiry("portal.signIn", pair);
    });
  // The caller now owns the started components. Disposal of the returned object stops them.
  stack.move();
  return {
    portal,
    ...(sshServer ? { sshPort: sshServer.port } : {}),
    async [Symbol.asyncDispose]() {
      stopped.abort();
      portal.withdraw();
      await clock.sleep(config.serveOnMs, new AbortController().signal);
      // Both servers stop accepting connections immediately, and then drain concurrently.
      await Promise.all([portal[Symbol.asyncDispose](), sshServer?.[Symbol.asyncDispose]()]);
    },
  };
}

async function startSshServer(
  { config, environment: { database }, clock, metrics }: ServiceParts,
  portal: PortalConfig,
  logger: Logger,
): Promise<SshProxy | undefined> {
  const server = portalSshServerOf(portal);
  if (!server) return undefined;
  const { proxy, ...where } = server;
  const { drainMs } = config;
  return startSshProxy({ ...where, database, dial: clusterDialer(proxy), drainMs, metrics, clock, logger });
}

export interface PortalProcess extends AsyncDisposable {
  /** `portal` is the public address. `https` and `ssh` are the ports of this process. */
  readonly place: {
    readonly portal: string;
    readonly https: number;
    readonly ssh?: number;
    readonly metrics: string;
  };
}

/** Starts the portal with a separate database connection. Disposal drains the portal and then closes the database connection. */
export async function startPortalProcess(deps: PortalDeps): Promise<PortalProcess> {
  await using stack = new AsyncDisposableStack();
  const { host, metricsPort } = deps.config;
  const parts = await startParts(stack, { ...deps, service: "portal" });
  const server = stack.use(await serveMetrics({ metrics: parts.metrics, host, port: metricsPort }));
  const { portal, sshPort } = stack.use(await servePortal(parts));
  const kept = stack.move();
  return {
    place: {
      portal: portal.url,
      https: portal.port,
      ...(sshPort === undefined ? {} : { ssh: sshPort }),
      metrics: server.url,
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
