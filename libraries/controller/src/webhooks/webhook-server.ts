import type { IncomingMessage } from "node:http";
import { createServer } from "node:https";
import { CallLimit, type Clock, type Logger, type Metrics, messageOf } from "@keelson/base";
import { closeHttpServer, extendReceiveLimits, keepAliveTimeoutMs, listen } from "@keelson/http";
import { type AdmissionRequest, type AdmissionResponse, parseReview, reviewOf } from "./admission-review.ts";
import { CertificateFiles, type ServerCertificate } from "./certificate-files.ts";
import { WebhookMetrics } from "./webhook-metrics.ts";

/** Handles one admission request. If the handler throws, the response is 500 and the webhook's `failurePolicy` applies. */
export type AdmissionHandler = (request: AdmissionRequest, signal: AbortSignal) => Promise<AdmissionResponse>;

export interface WebhookServerOptions {
  readonly host: string;
  /** Port to listen on. 0 selects a free port. */
  readonly port: number;
  readonly certificateFile: string;
  readonly keyFile: string;
  /** Interval in ms at which the certificate files are read again. Default: 10 s. */
  readonly rereadMs?: number;
  /**
   * CA certificate in PEM. Only clients with a certificate of this CA, such as API servers, may connect. Default: all clients.
   */
  readonly clientAuthority?: string | undefined;
  /** Handlers by path, for example `/validate-machines`. */
  readonly handlers: Readonly<Record<string, AdmissionHandler>>;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface WebhookServer extends AsyncDisposable {
  readonly port: number;
}

interface Response {
  readonly code: number;
  readonly body: string;
}

/** Maximum request size in bytes: two objects of the maximum etcd size, plus the envelope. */
const maxBodyBytes = 7 * 1024 * 1024;
const maxInFlight = 64;
/** Time limit of a handler in ms. API servers wait at most 30 s. */
const handlerTimeoutMs = 29_000;

/**
 * Serves admission webhooks (admission.k8s.io/v1) over HTTPS. A replaced certificate file takes effect without a restart.
 * @throws Error if the certificate is unusable or the port is in use
 */
export async function serveWebhooks(options: WebhookServerOptions): Promise<WebhookServer> {
  const { clientAuthority, clock, host, logger, metrics, port, rereadMs: everyMs } = options;
  const { certificateFile, keyFile } = options;
  const files = new CertificateFiles({
    ...{ certificateFile, keyFile, metrics, clock, logger },
    everyMs,
  });
  const clients = clientAuthority === undefined ? {} : { ca: clientAuthority };
  const tls = (certificate: ServerCertificate) =>
    ({ ...certificate, ...clients, minVersion: "TLSv1.2" }) as const;
  const review = reviewer(options);
  const server = createServer(
    { ...tls(await files.read()), requestCert: clientAuthority !== undefined },
    async (request, response) => {
      const { code, body } = await review(request);
      const close = code === 413 ? { connection: "close" } : {};
      response.writeHead(code, { "content-type": "application/json", ...close }).end(body);
    },
  );
  server.requestTimeout = 30_000;
  server.headersTimeout = 10_000;
  server.keepAliveTimeout = keepAliveTimeoutMs;
  extendReceiveLimits(server);
  const bound = await listen(server, host, port);
  const stop = new AbortController();
  const following = files.follow((certificate) => server.setSecureContext(tls(certificate)), stop.signal);
  return {
    port: bound,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all([following, closeHttpServer(server, handlerTimeoutMs)]);
    },
  };
}

/** Returns the request handler. TLS has already authenticated the client. The handler never rejects. */
function reviewer({ handlers, logger, metrics }: WebhookServerOptions) {
  const figures = new WebhookMetrics(metrics, Object.keys(handlers));
  return async function review(request: IncomingMessage): Promise<Response> {
    const path = request.url?.split("?")[0] ?? "/";
    const handler = Object.hasOwn(handlers, path) ? handlers[path] : undefined;
    if (!handler) return failure(404, `no webhook has the path ${path}`);
    if (request.method !== "POST") return failure(405, "reviews are sent by POST");
    if (request.headers["content-type"]?.split(";")[0] !== "application/json")
      return failure(415, "reviews are application/json");
    if (figures.active >= maxInFlight) return failure(429, "too many reviews at a time");
    return figures.measure(path, async () => {
      try {
        return await decide(request, handler);
      } catch (error) {
        logger.error({ webhook: path, error: messageOf(error) }, "an admission webhook failed");
        return failure(500, "the webhook failed; see its log for the cause");
      }
    });
  };
}

async function decide(request: IncomingMessage, handler: AdmissionHandler): Promise<Response> {
  const body = await bodyOf(request);
  if (body === undefined) return failure(413, `a review has at most ${maxBodyBytes} bytes`);
  const review = parseReview(body);
  if (!review) return failure(400, "the body is no AdmissionReview of admission.k8s.io/v1 with a request");
  using limit = new CallLimit(new AbortController().signal, handlerTimeoutMs);
  const answer = await handler(review, limit.signal);
  return { code: 200, body: reviewOf(review.uid, answer) };
}

/** Returns the request body, or undefined if the body exceeds the size limit. The rest of such a body is not read. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function failure(code: number, message: string): Response {
  return { code, body: JSON.stringify({ message }) };
}
