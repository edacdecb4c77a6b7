import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type PeerCertificate, type SecureVersion, TLSSocket } from "node:tls";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import {
  createCertificateAuthority,
  type Exposition,
  issueCertificate,
  type Logger,
  type Metrics,
  messageOf,
  systemClock,
} from "@keelson/base";
import { CertificateFiles, type ServerCertificate } from "@keelson/controller";
import {
  acceptsGzip,
  extendReceiveLimits,
  keepAliveTimeoutMs,
  listen,
  type NotReady,
  type Readiness,
} from "@keelson/http";
import type { DelegatedAccess, Identity } from "@keelson/operator-kit";

const compress = promisify(gzip);

export interface MetricsServer extends AsyncDisposable {
  readonly port: number;
  /** URL of `/metrics`. */
  readonly url: string;
}

export interface MetricsServerOptions {
  readonly metrics: Metrics;
  /** Returns the content of `/metrics`. Default: the metrics in `metrics`. */
  readonly expose?: () => Promise<Exposition>;
  readonly host: string;
  /** Port to listen on. 0 chooses a free port. */
  readonly port: number;
  /**
   * Returns the readiness for `GET /healthz/ready`: true for status 200, false for status 503. Default: the path is not served.
   */
  readonly ready?: () => boolean;
  /**
   * Readiness for `GET /healthz/ready` and `/healthz/ready/write`. The response has status 200, or status 503 with the reason in
   * the body. Default: these paths are not served.
   */
  readonly readiness?: Readiness;
  /** TLS settings of the server. Default: plain HTTP. */
  readonly tls?: MetricsTls;
  /** Authenticates and authorizes each request. Requires `tls`. Default: every request is allowed. */
  readonly access?: DelegatedAccess;
}

/** HTTPS settings. The server rereads the certificate files, so that a renewed certificate is used without a restart. */
export interface MetricsTls {
  readonly certificateFile: string;
  readonly keyFile: string;
  /** Default: `readFile`. */
  readonly read?: (path: string) => Promise<Buffer>;
  readonly minVersion?: SecureVersion;
  /** OpenSSL cipher list. Default: the Node.js default. */
  readonly ciphers?: string;
  /** Interval between reads of the certificate files. Default: 10,000 ms. */
  readonly rereadMs?: number;
  /** If true, a self-signed certificate is served until the files exist. */
  readonly selfSigned?: boolean;
  /** Interval between reads of the CA for client certificates. Default: 60 s. */
  readonly rereadClientCaMs?: number;
  readonly logger: Logger;
}

const selfSignedDays = 30;
const rereadClientCaMs = 60_000;

/** Serves `GET /metrics` in the Prometheus text format. @throws Error if the certificate cannot be used, or the port is in use */
export async function serveMetrics(options: MetricsServerOptions): Promise<MetricsServer> {
  const { access, host, port, tls } = options;
  const stop = new AbortController();
  const clients: ClientAuthorities = { bundle: "" };
  const answer = (request: IncomingMessage, response: ServerResponse) =>
    void serveRequest(options, clients, request, response, stop.signal).catch(() => response.destroy());
  const files = tls && certificateFiles(tls, options.metrics);
  let certificate = tls && files && (await firstCertificate(tls, files));
  if (tls && access) await readClientAuthorities(access, clients, tls, stop.signal);
  const context = () => tls && certificate && secureOptions(tls, certificate, clients);
  const secure = context();
  const client = access ? { requestCert: true, rejectUnauthorized: false } : {};
  const server = secure ? createHttpsServer({ ...secure, ...client }, answer) : createServer(answer);
  server.keepAliveTimeout = keepAliveTimeoutMs;
  extendReceiveLimits(server);
  const bound = await listen(server, host, port);
  const renew = () => {
    const renewed = context();
    if (renewed && "setSecureContext" in server) server.setSecureContext(renewed);
  };
  const following = files?.follow((next) => {
    certificate = next;
    renew();
  }, stop.signal);
  const reading = tls && access && followClientAuthorities(access, clients, tls, renew, stop.signal);
  return {
    port: bound,
    url: `${tls ? "https" : "http"}://localhost:${bound}/metrics`,
    async [Symbol.asyncDispose]() {
      stop.abort();
      server.closeAllConnections();
      await Promise.all([following, reading, new Promise((resolve) => server.close(resolve))]);
    },
  };
}

/** CA bundle (PEM) that verifies client certificates. An empty bundle rejects all client certificates. */
interface ClientAuthorities {
  bundle: string;
}

async function readClientAuthorities(
  access: DelegatedAccess,
  clients: ClientAuthorities,
  { logger }: MetricsTls,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const bundle = await access.clientCertificateAuthorities(signal);
    const isChanged = bundle !== clients.bundle;
    clients.bundle = bundle;
    return isChanged;
  } catch (error) {
    if (!signal.aborted)
      logger.warn({ error: messageOf(error) }, "the CA of client certificates was not read");
    return false;
  }
}

/** Reads the CA bundle at each interval. Tolerates a missing bundle, because the cluster may not have published one yet. */
async function followClientAuthorities(
  access: DelegatedAccess,
  clients: ClientAuthorities,
  tls: MetricsTls,
  renew: () => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await systemClock.sleep(tls.rereadClientCaMs ?? rereadClientCaMs, signal).catch(() => undefined);
    if (!signal.aborted && (await readClientAuthorities(access, clients, tls, signal))) renew();
  }
}

async function serveRequest(
  { access, metrics, expose = () => metrics.expose(), ready, readiness }: MetricsServerOptions,
  clients: ClientAuthorities,
  request: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const { method = "", url = "" } = request;
  const refusal = await access?.refusalOf(
    {
      verb: method.toLowerCase(),
      path: url.split("?")[0] ?? "",
      ...bearerToken(request),
      ...clientIdentity(request, clients),
    },
    signal,
  );
  if (refusal) {
    response.writeHead(refusal.code, { "content-type": "application/json" });
    response.end(`${JSON.stringify(refusal.status)}\n`);
    return;
  }
  if (method === "GET" && url === "/metrics") {
    const { contentType, body } = await expose();
    response.setHeader("content-type", contentType).setHeader("vary", "accept-encoding");
    if (!acceptsGzip(request.headers["accept-encoding"])) response.end(body);
    else response.setHeader("content-encoding", "gzip").end(await compress(body));
  } else if (method === "GET" && url === "/healthz/ready" && ready) {
    response.writeHead(ready() ? 200 : 503).end();
  } else if (method === "GET" && url === "/healthz/ready" && readiness) {
    serveReadiness(response, await readiness.reads());
  } else if (method === "GET" && url === "/healthz/ready/write" && readiness) {
    serveReadiness(response, await readiness.writes());
  } else {
    response.writeHead(404).end();
  }
}

function serveReadiness(response: ServerResponse, notReady: NotReady | undefined): void {
  if (!notReady) response.writeHead(200).end();
  else response.writeHead(503, { "content-type": "text/plain" }).end(`${notReady.reason}\n`);
}

function bearerToken({ headers }: IncomingMessage): { readonly bearerToken?: string } {
  const token = /^bearer +(\S+) *$/i.exec(headers.authorization ?? "")?.[1];
  return token === undefined ? {} : { bearerToken: token };
}

function clientIdentity(
  { socket }: IncomingMessage,
  { bundle }: ClientAuthorities,
): { readonly certificate?: Identity; readonly hasUnknownCertificate?: boolean } {
  if (!(socket instanceof TLSSocket)) return {};
  // `subject` is undefined if the client sent no certificate.
  const { subject } = socket.getPeerCertificate() as Partial<PeerCertificate>;
  if (!subject) return {};
  const { CN: user, O: organizations } = subject as { readonly CN?: unknown; readonly O?: unknown };
  // If the bundle is empty, Node.js accepts client certificates that public CAs have signed. This server does not accept them.
  if (bundle === "" || !socket.authorized || typeof user !== "string") return { hasUnknownCertificate: true };
  const groups = (Array.isArray(organizations) ? organizations : [organizations]).filter(
    (each) => typeof each === "string",
  );
  return { certificate: { user, groups: [...groups, "system:authenticated"] } };
}

function certificateFiles(
  { certificateFile, keyFile, read, rereadMs, logger }: MetricsTls,
  metrics: Metrics,
): CertificateFiles {
  const every = rereadMs === undefined ? {} : { everyMs: rereadMs };
  return new CertificateFiles({
    certificateFile,
    keyFile,
    read,
    ...every,
    metrics,
    clock: systemClock,
    logger,
  });
}

async function firstCertificate(
  { certificateFile, selfSigned, logger }: MetricsTls,
  files: CertificateFiles,
): Promise<ServerCertificate> {
  try {
    return await files.read();
  } catch (error) {
    if (!selfSigned) throw error;
    logger.warn(
      { certificateFile, error: messageOf(error) },
      "serving a self-signed certificate until the configured one exists",
    );
    const { certificatePem, privateKeyPem } = await issueCertificate(
      await createCertificateAuthority("metrics", selfSignedDays),
      { commonName: "localhost", dnsNames: ["localhost"], usage: "server", validDays: selfSignedDays },
    );
    return { cert: certificatePem, key: privateKeyPem };
  }
}

function secureOptions(
  { minVersion = "TLSv1.2", ciphers }: MetricsTls,
  certificate: ServerCertificate,
  { bundle }: ClientAuthorities,
) {
  return {
    ...certificate,
    minVersion,
    ...(ciphers === undefined ? {} : { ciphers }),
    ...(bundle === "" ? {} : { ca: bundle }),
  };
}
