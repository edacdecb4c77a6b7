import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { noGovernance } from "@keelson/admin-actions";
import { type KeyPair, messageOf, type Secret } from "@keelson/base";
import { countDropped, HttpsListener, type PeerAddress, Readiness } from "@keelson/http";
import { AdminApi } from "./admin-api/admin-api.ts";
import { FleetEvents } from "./events/fleet-events.ts";
import { PortalPipeline } from "./http/portal-pipeline.ts";
import type { PortalRoute } from "./http/portal-route.ts";
import { beat } from "./http/readiness.ts";
import { ClusterEndpoints } from "./kubeconfig/cluster-endpoints.ts";
import { KubeconfigProxy } from "./kubeconfig/kubeconfig-proxy.ts";
import { readAssets } from "./pages/assets.ts";
import type { PortalOptions } from "./portal-options.ts";
import { portalRoutes } from "./portal-routes.ts";
import { Elevations } from "./sign-in/elevations.ts";
import { EntraId } from "./sign-in/entra-id.ts";
import { Logins } from "./sign-in/login.ts";
import { PersonTokens } from "./sign-in/person-tokens.ts";
import { SessionKeys } from "./sign-in/session-keys.ts";
import { SignOuts } from "./sign-in/sign-outs.ts";

/** Portal that accepts connections. Disposal waits for responses in flight and then closes all connections. */
export interface Portal extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Makes the readiness check fail. The portal still serves requests. */
  withdraw(): void;
  /** All routes except the kubeconfig proxy. */
  readonly routes: readonly PortalRoute[];
  /** Replaces the server certificate for new connections. */
  useCertificate(tls: KeyPair): void;
  /** Replaces the certificate of the portal's application in Entra ID for later sign-ins. */
  useSignInCertificate(certificate: KeyPair): void;
  /** Replaces the cookie keys. The first key encrypts, and all keys can decrypt. @throws Error for an invalid key */
  useSessionKeys(keys: readonly Secret[]): void;
}

/** Time limit for request headers in ms. Source: Azure/ARO-RP pkg/portal/portal.go. */
const headersMs = 10_000;
/** Request bodies have no time limit, because the input of an interactive shell is a request body. */
const requestMs = 0;

/** Starts the portal. Rejects if the address is not available. */
export async function startPortal(options: PortalOptions): Promise<Portal> {
  await using stack = new AsyncDisposableStack();
  const { database, host, port, clock, logger, signIn, drainMs = 0 } = options;
  const { rules = { requireReason: false, governance: noGovernance } } = options;
  let { tls } = options;
  const keys = signIn && new SessionKeys(signIn.sessionKeys);
  const people = signIn &&
    keys && {
      signIn,
      keys,
      logins: new Logins(keys, clock),
      signOuts: new SignOuts({ database, clock }),
      elevations: new Elevations({ database, governance: rules.governance, clock }),
    };
  const assets = options.assets === undefined ? undefined : await readAssets(options.assets);
  const endpoints = stack.use(new ClusterEndpoints(options));
  const authenticated = (peer: PeerAddress): void => server.authenticated(peer);
  const proxy = stack.use(new KubeconfigProxy({ ...options, endpoints, authenticated }));
  const events = stack.use(new FleetEvents({ database, clock, logger }));
  const entraId = signIn && stack.use(new EntraId({ ...signIn, clock }));
  const personTokens =
    entraId && new PersonTokens({ database, refresh: (token) => entraId.refresh(token), clock, logger });
  const adminApi =
    options.adminApi &&
    personTokens &&
    stack.use(new AdminApi({ ...options.adminApi, tokens: personTokens }));
  const stopping = new AbortController();
  let isWithdrawn = false;
  const readiness = new Readiness({
    database,
    own: () => (isWithdrawn ? { reason: "The process is stopping." } : undefined),
    clock,
    logger,
  });
  const failed = (error: unknown) => logger.error({ error: messageOf(error) }, "a request broke");
  let pipeline: PortalPipeline | undefined;
  const limits = { clock, dropped: countDropped(options.metrics, "portal") };
  const server: HttpsListener = stack.use(
    new HttpsListener({ tls, limits, headersMs, requestMs }, (request, response) => {
      response.setHeader("x-content-type-options", "nosniff");
      if (proxy.isFor(request.url ?? "")) proxy.respond(request, response).catch(failed);
      else pipeline?.respond(request, response).catch(failed);
    }),
  );
  server.server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (proxy.isFor(request.url ?? "")) proxy.upgrade(request, socket, head).catch(failed);
    else socket.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
  });
  await server.listen(host, port);
  const origin = (options.url ?? `https://localhost:${server.port}`).replace(/\/$/, "");
  const routes = portalRoutes({
    ...options,
    people: people && entraId && personTokens ? { ...people, entraId, personTokens } : undefined,
    actions: { adminApi, rules },
    origin,
    endpoints,
    events,
    assets,
    certificatePem: () => tls.certificatePem,
    readiness,
  });
  pipeline = new PortalPipeline({
    routes,
    origin,
    signIn: people,
    authenticated,
    clock,
    logger,
    stopping: stopping.signal,
  });
  if (options.metrics) void beat({ readiness, metrics: options.metrics, clock }, stopping.signal);
  stack.defer(async () => {
    isWithdrawn = true;
    stopping.abort();
    proxy.stop();
    const [limit, drained] = [new AbortController(), new AbortController()];
    const late = () => limit.abort();
    void clock.sleep(drainMs, drained.signal).then(late, () => undefined);
    await server.drain(limit.signal);
    drained.abort();
  });
  const kept = stack.move();
  return {
    url: origin,
    port: server.port,
    routes,
    withdraw() {
      isWithdrawn = true;
    },
    useCertificate(pair) {
      tls = pair;
      server.useCertificate(pair);
    },
    useSignInCertificate: (certificate) => entraId?.useCertificate(certificate),
    useSessionKeys: (next) => keys?.use(next),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
