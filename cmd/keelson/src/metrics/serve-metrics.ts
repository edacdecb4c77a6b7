import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { SecureVersion } from "node:tls";
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
import { acceptsGzip, keepAliveTimeoutMs, listen } from "@keelson/http";

const compress = promisify(gzip);

export interface MetricsServer extends AsyncDisposable {
  readonly port: number;
  /** Of `/metrics`. */
  readonly url: string;
}

export interface MetricsServerOptions {
  readonly metrics: Metrics;
  /** Returns the content of `/metrics`. Default: that of `metrics`. */
  readonly expose?: () => Promise<Exposition>;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Answered as `GET /healthz/ready`, 200 or 503; not served when absent. */
  readonly ready?: () => boolean;
  /** Plain HTTP when absent. */
  readonly tls?: MetricsTls;
}

/** HTTPS with the certificate that is in its files now. */
export interface MetricsTls {
  readonly certificateFile: string;
  readonly keyFile: string;
  /** Default: `readFile`. */
  readonly read?: (path: string) => Promise<Buffer>;
  readonly minVersion?: SecureVersion;
  /** As OpenSSL lists them; Node.js' own when absent. */
  readonly ciphers?: string;
  /** How soon a replaced certificate is used; 10 s when absent. */
  readonly rereadMs?: number;
  /** Serves a certificate of its own until there is one in the files. */
  readonly selfSigned?: boolean;
  readonly logger: Logger;
}

const selfSignedDays = 30;

/**
 * `GET /metrics` in the Prometheus text format. @throws Error when the certificate cannot be used, or the port is taken
 */
export async function serveMetrics(options: MetricsServerOptions): Promise<MetricsServer> {
  const { host, port, tls } = options;
  const answer = (request: IncomingMessage, response: ServerResponse) =>
    void answerRequest(options, request, response);
  const stop = new AbortController();
  const files = tls && certificateFiles(tls, options.metrics);
  const server =
    tls && files
      ? createHttpsServer(secureOptions(tls, await firstCertificate(tls, files)), answer)
      : createServer(answer);
  server.keepAliveTimeout = keepAliveTimeoutMs;
  const bound = await listen(server, host, port);
  const following = files?.follow((certificate) => {
    if (tls && "setSecureContext" in server) server.setSecureContext(secureOptions(tls, certificate));
  }, stop.signal);
  return {
    port: bound,
    url: `${tls ? "https" : "http"}://localhost:${bound}/metrics`,
    async [Symbol.asyncDispose]() {
      stop.abort();
      server.closeAllConnections();
      await Promise.all([following, new Promise((resolve) => server.close(resolve))]);
    },
  };
}

async function answerRequest(
  { metrics, expose = () => metrics.expose(), ready }: MetricsServerOptions,
  { method, url, headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (method === "GET" && url === "/metrics") {
    const { contentType, body } = await expose();
    response.setHeader("content-type", contentType).setHeader("vary", "accept-encoding");
    if (!acceptsGzip(headers["accept-encoding"])) response.end(body);
    else response.setHeader("content-encoding", "gzip").end(await compress(body));
  } else if (method === "GET" && url === "/healthz/ready" && ready) {
    response.writeHead(ready() ? 200 : 503).end();
  } else {
    response.writeHead(404).end();
  }
}

function certificateFiles(
  { certificateFile, keyFile, read, rereadMs, logger }: MetricsTls,
  metrics: Metrics,
): CertificateFiles {
  const every = rereadMs === undefined ? {} : { everyMs: rereadMs };
  return new CertificateFiles({
    certificateFile,
    keyFile,
    ...(read === undefined ? {} : { read }),
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
      "serving a certificate of its own until there is one",
    );
    const { certificatePem, privateKeyPem } = await issueCertificate(
      await createCertificateAuthority("metrics", selfSignedDays),
      { commonName: "localhost", dnsNames: ["localhost"], usage: "server", validDays: selfSignedDays },
    );
    return { cert: certificatePem, key: privateKeyPem };
  }
}

function secureOptions({ minVersion = "TLSv1.2", ciphers }: MetricsTls, certificate: ServerCertificate) {
  return { ...certificate, minVersion, ...(ciphers === undefined ? {} : { ciphers }) };
}
