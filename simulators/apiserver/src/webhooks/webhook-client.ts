import type { OutgoingHttpHeaders } from "node:http";
import { Agent, type RequestOptions, request } from "node:https";
import { posix } from "node:path";
import { parseJson, scalarStringAt } from "@keelson/apimachinery";
import { exactJson, messageOf, valueAt, withTimeout } from "@keelson/base";
import { serverIdentityError } from "./server-identity.ts";

/** Reference to a webhook's Service (admissionregistration.k8s.io/v1 ServiceReference). */
export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** Network address that this process can connect to. */
export interface NetworkAddress {
  readonly host: string;
  readonly port: number;
}

/** Webhook server in this process. It needs no TLS. */
export interface WebhookResponder {
  /** Returns the response to a review. @throws WebhookFailure */
  respond(review: unknown): unknown;
}

/**
 * Resolves a Service to an address or a responder.
 * @throws WebhookFailure if the Service has no endpoint
 */
export type ServiceRoute = (
  service: WebhookService,
) => NetworkAddress | WebhookResponder | Promise<NetworkAddress | WebhookResponder>;

/** Failed webhook call. The message equals the message of Kubernetes' webhook client. */
export class WebhookFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "WebhookFailure";
  }
}

const maxResponseBytes = 3 * 1_024 * 1_024;
const maxShownBytes = 1_024;
const maxConnections = 256;
const maxConnectionsPerWebhook = 32;
const idleMs = 30_000;

/**
 * Calls admission and conversion webhooks over HTTPS. It trusts `caBundle` and does not follow redirects. It limits time, size
 * and connections, and keeps connections alive.
 */
export class WebhookClient implements Disposable {
  readonly #route: ServiceRoute;
  #agent: Agent | undefined;

  constructor(route: ServiceRoute) {
    this.#route = route;
  }

  /**
   * Posts `body` as JSON to the `url` or `service` of a `clientConfig` and returns the response.
   * @throws WebhookFailure
   */
  async post(
    clientConfig: unknown,
    body: unknown,
    timeoutSeconds: number,
    signal: AbortSignal,
  ): Promise<unknown> {
    const text = `${urlOf(clientConfig)}?timeout=${timeoutSeconds}s`;
    const url = new URL(text);
    const limit = withTimeout(signal, timeoutSeconds * 1_000);
    let answer: Response;
    try {
      const service = serviceOf(clientConfig);
      const address = service && (await this.#route(service));
      if (address && "respond" in address) return address.respond(body);
      answer = await this.#send(url, address, caOf(clientConfig), Buffer.from(exactJson(body)), limit);
    } catch (error) {
      throw new WebhookFailure(`Post "${text}": ${causeOf(error, url, limit)}`, { cause: error });
    }
    return jsonOf(answer);
  }

  [Symbol.dispose](): void {
    this.#agent?.destroy();
  }

  #send(
    url: URL,
    address: NetworkAddress | undefined,
    ca: string | undefined,
    body: Buffer,
    signal: AbortSignal,
  ): Promise<Response> {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    this.#agent ??= new Agent({
      keepAlive: true,
      timeout: idleMs,
      maxSockets: maxConnectionsPerWebhook,
      maxTotalSockets: maxConnections,
    });
    const headers: OutgoingHttpHeaders = {
      "content-type": "application/json",
      accept: "application/json",
      "content-length": body.length,
      host: url.host,
    };
    const options: RequestOptions = {
      method: "POST",
      agent: this.#agent,
      headers,
      host: address?.host ?? hostOf(url),
      port: address?.port ?? (url.port || 443),
      path: `${cleanPath(url.pathname)}${url.search}`,
      // TLS does not allow IP addresses in SNI.
      ...(isIpAddress(url) ? {} : { servername: url.hostname }),
      // All certificates in the bundle are trust anchors. The bundle may include a server's own certificate or an intermediate
      // CA.
      ...(ca === undefined ? {} : { ca, allowPartialTrustChain: true }),
      checkServerIdentity: (_, certificate) => serverIdentityError(hostOf(url), certificate),
      signal,
    };
    const outgoing = request(options, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > maxResponseBytes)
          outgoing.destroy(new Error(`the response is longer than ${maxResponseBytes} bytes`));
      });
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      );
    });
    outgoing.on("error", reject).end(body);
    return promise;
  }
}

interface Response {
  readonly status: number;
  readonly text: string;
}

/**
 * Returns the parsed JSON of a response.
 * @throws WebhookFailure for statuses outside 2xx, with client-go's message
 */
function jsonOf({ status, text }: Response): unknown {
  if (status >= 200 && status < 300) {
    try {
      return parseJson(text);
    } catch (error) {
      throw new WebhookFailure(`couldn't get version/kind; json parse error: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }
  const said = statusMessage(text);
  if (said) throw new WebhookFailure(said);
  if (status === 404) throw new WebhookFailure("the server could not find the requested resource");
  if (status < 500) {
    throw new WebhookFailure(
      `the server responded with the status code ${status} but did not return more information`,
    );
  }
  const shown = JSON.stringify(text.trim().slice(0, maxShownBytes) || "unknown");
  throw new WebhookFailure(`an error on the server (${shown}) has prevented the request from succeeding`);
}

function statusMessage(text: string): string {
  try {
    const value = parseJson(text);
    return valueAt(value, "kind") === "Status" ? scalarStringAt(value, "message") : "";
  } catch {
    return "";
  }
}

function serviceOf(clientConfig: unknown): WebhookService | undefined {
  const service = valueAt(clientConfig, "service");
  if (!service || scalarStringAt(clientConfig, "url")) return undefined;
  return {
    namespace: scalarStringAt(service, "namespace"),
    name: scalarStringAt(service, "name"),
    port: Number(scalarStringAt(service, "port") || 443),
  };
}

/**
 * Returns the URL in a `clientConfig` without its query.
 * @throws WebhookFailure if there is no URL
 */
function urlOf(clientConfig: unknown): string {
  const service = serviceOf(clientConfig);
  const path = scalarStringAt(clientConfig, "service", "path");
  const text = service
    ? `https://${service.name}.${service.namespace}.svc:${service.port}${path.startsWith("/") ? "" : "/"}${path}`
    : scalarStringAt(clientConfig, "url");
  const url = URL.parse(text);
  if (!url || url.search || url.protocol !== "https:" || !url.hostname) {
    throw new WebhookFailure("webhook configuration must have either service or URL");
  }
  return text;
}

/** Returns the CA bundle in PEM. Undefined means the default CAs. */
function caOf(clientConfig: unknown): string | undefined {
  const encoded = scalarStringAt(clientConfig, "caBundle");
  return encoded ? Buffer.from(encoded, "base64").toString() : undefined;
}

/**
 * Joins paths like client-go, with single slashes and without a trailing slash, because webhook servers redirect paths in any
 * other form.
 */
function cleanPath(path: string): string {
  return posix.join("/", path).replace(/(.)\/$/, "$1");
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

function isIpAddress({ hostname }: URL): boolean {
  return hostname.startsWith("[") || /^\d+(\.\d+){3}$/.test(hostname);
}

const unknownAuthority = "tls: failed to verify certificate: x509: certificate signed by unknown authority";
const certificateTexts: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  CERT_HAS_EXPIRED: "tls: failed to verify certificate: x509: certificate has expired or is not yet valid",
  INVALID_PURPOSE: "tls: failed to verify certificate: x509: certificate specifies an incompatible key usage",
  CERT_NOT_YET_VALID: "tls: failed to verify certificate: x509: certificate has expired or is not yet valid",
};

/** Returns the cause of a connection failure as Go's error message. */
function causeOf(error: unknown, url: URL, limit: AbortSignal): string {
  if (limit.aborted)
    return limit.reason?.name === "TimeoutError" ? "context deadline exceeded" : "context canceled";
  const facts = { ...Object(error) };
  const code = scalarStringAt(facts, "code");
  const address = scalarStringAt(facts, "address") || hostOf(url);
  const port = scalarStringAt(facts, "port") || url.port || "443";
  const certificate = certificateTexts[code];
  if (certificate) return certificate;
  switch (code) {
    case "ECONNREFUSED":
      return `dial tcp ${address}:${port}: connect: connection refused`;
    case "EHOSTUNREACH":
      return `dial tcp ${address}:${port}: connect: no route to host`;
    case "ENETUNREACH":
      return `dial tcp ${address}:${port}: connect: network is unreachable`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `dial tcp: lookup ${hostOf(url)}: no such host`;
    case "ECONNRESET":
      return "EOF";
    default:
      return messageOf(error);
  }
}
